import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendRegular, openRegular, readRegular, readText } from '../../src/io/regular-file.ts'
import { tempFolder } from '../store/sandbox.ts'

const unsafe = expect.objectContaining({ code: 'unsafe-path', fix: expect.any(String) })

function places() {
  const folder = tempFolder()
  const at = (name: string) => join(folder, name)
  writeFileSync(at('file'), 'kept')
  symlinkSync(at('file'), at('link'))
  execFileSync('mkfifo', [at('pipe')])
  mkdirSync(at('folder'))
  return { at }
}

test('reads and appends to a file, also through a link', () => {
  const { at } = places()
  expect(readText(at('link'))).toBe('kept')
  appendRegular(at('link'), ' and more')
  expect(readRegular(at('file'))?.toString()).toBe('kept and more')
})

test('a file that is not there is not read, and is made for this user only by appending', () => {
  const { at } = places()
  for (const path of [at('nothing'), at('file/below')]) expect(readText(path)).toBeUndefined()
  appendRegular(at('new'), 'first')
  expect(readFileSync(at('new'), 'utf8')).toBe('first')
  if (process.platform !== 'win32') expect(statSync(at('new')).mode & 0o777).toBe(0o600)
})

test('a pipe, a folder, a device and a file that is too large are refused without waiting', () => {
  const { at } = places()
  for (const path of [at('pipe'), at('folder'), '/dev/zero']) expect(() => openRegular(path)).toThrow(unsafe)
  for (const path of ['pipe', 'folder']) expect(() => appendRegular(at(path), 'x')).toThrow()
  expect(() => readText(at('file'), 3)).toThrow(unsafe)
})
