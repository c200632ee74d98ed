import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openerIn, openFile } from '../../src/io/open-on-desktop.ts'
import { tempBase } from '../helpers/repository.ts'

function folderWith(...programs: string[]): string {
  const folder = mkdtempSync(join(tempBase(), 'cortext-open-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const name of programs) {
    writeFileSync(
      join(folder, name),
      `#!/bin/sh\nprintf '%s\\n' "$@" >'${folder}/told.part' && mv '${folder}/told.part' '${folder}/told'\n`,
    )
    chmodSync(join(folder, name), 0o755)
  }
  return folder
}

// promise: The path is given to the desktop's opener as one word, without a shell, and only at a terminal.
test('the desktop’s own program gets the path as one word, whatever is in it', async () => {
  const folder = folderWith('xdg-open')
  const path = `/x/$(touch ${folder}/owned) 'a "b" ;&.html`
  expect(await openFile(path, { PATH: `${folder}:/usr/bin:/bin`, DISPLAY: ':0' })).toBe(true)
  await vi.waitFor(() => expect(readFileSync(join(folder, 'told'), 'utf8')).toBe(`${path}\n`), 5000)
  expect(existsSync(join(folder, 'owned'))).toBe(false)
})

test('without a desktop, or without a program that opens files, nothing is started', async () => {
  const folder = folderWith('xdg-open')
  expect(await openFile('/x', { PATH: folder })).toBe(false)
  expect(await openFile('/x', { PATH: '/nowhere', DISPLAY: ':0' })).toBe(false)
  expect(existsSync(join(folder, 'told'))).toBe(false)
})

test('each system has its own program', () => {
  const folder = folderWith('open', 'xdg-open', 'wslview')
  expect(openerIn({ PATH: folder }, 'darwin')).toEqual([join(folder, 'open')])
  expect(openerIn({ PATH: folder, WAYLAND_DISPLAY: 'w' }, 'linux')).toEqual([join(folder, 'xdg-open')])
  expect(openerIn({ PATH: folder, WSL_DISTRO_NAME: 'u' }, 'linux')).toEqual([join(folder, 'wslview')])
})
