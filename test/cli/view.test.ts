import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { viewVerb } from '../../src/cli/verbs/view/index.ts'
import { long } from '../helpers/long-conversation.ts'
import { tempBase } from '../helpers/repository.ts'
import type { Lab } from '../helpers/workspace-lab.ts'

let lab: Lab
let path: string
let id: string
beforeEach(async () => {
  const made = await long(3)
  lab = made.lab
  path = made.path
  id = path.split('/').at(-1)!
})

function outside(): string {
  const folder = mkdtempSync(join(tempBase(), 'cortext-view-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('view', () => {
  // promise: `view` writes where you say, or among this machine's own files, readable by you only.
  test('writes one file among this machine’s own files, readable by this user alone and invisible to git', async () => {
    const before = lab.git('status', '--porcelain', '--ignored')
    const { path: file } = await lab.json<{ path: string }>(['view', id, '--json'])
    expect(readFileSync(file, 'utf8')).toMatch(/^<!doctype html>[\s\S]*turn 3[\s\S]*<\/html>\n$/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(lab.git('status', '--porcelain', '--ignored')).toBe(before)
  })

  // promise: The path is given
  test('only prints the path without a terminal', async () => {
    const folder = outside()
    writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\ntouch ${folder}/opened\n`, { mode: 0o755 })
    const { stdout, stderr } = await lab.cortext(['view', id], {
      env: { DISPLAY: ':0', PATH: `${folder}:${lab.env.PATH}` },
    })
    expect(stdout).toMatch(/^\/\S+\.html\n$/)
    expect(stderr).not.toContain('Opened')
    expect(existsSync(join(folder, 'opened'))).toBe(false)
  })

  // promise: of one and opens it (`-o <file>`
  test('opens the page at a terminal, except with --no-open', async () => {
    const folder = outside()
    const script = `#!/bin/sh\nprintf '%s' "$1" >${folder}/part && mv ${folder}/part ${folder}/opened\n`
    writeFileSync(join(folder, 'xdg-open'), script, { mode: 0o755 })
    const env = { ...lab.env, DISPLAY: ':0', PATH: `${folder}:${lab.env.PATH}` }
    const environment = { ...lab.environment, env, interactive: true }
    const output = join(folder, 'a.html')
    await viewVerb(environment, [id], { open: false, output })
    await viewVerb(environment, [id], { open: true, output, json: true })
    expect(existsSync(join(folder, 'opened'))).toBe(false)
    await viewVerb(environment, [id], { open: true, output })
    await vi.waitFor(() => expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(output), 5000)
  })

  test('writes the file of -o, but not through a link that a clone brought', async () => {
    const folder = outside()
    await lab.json(['view', id, '-o', join(folder, 'new/a.html'), '--json'])
    expect(readFileSync(join(folder, 'new/a.html'), 'utf8')).toContain('turn 1')
    symlinkSync(folder, join(lab.root, 'out'))
    symlinkSync(join(folder, 'victim'), join(lab.root, 'page.html'))
    for (const output of ['out/b.html', 'page.html']) {
      const { code, stderr } = await lab.cortext(['view', id, '-o', output])
      expect(code).not.toBe(0)
      expect(stderr).toContain('symbolic link')
    }
    expect(readdirSync(folder)).toEqual(['new'])
  })

  // promise: A link in the place of an attachment or a document is not followed.
  test('does not read targets of links among the documents or attachments of a clone', async () => {
    const secret = join(outside(), 'secret.png')
    writeFileSync(secret, '\x89PNG\r\n\x1a\n OUTSIDE-WORDS', 'latin1')
    const hash = 'a'.repeat(64)
    mkdirSync(join(lab.root, path, '.session/attachments'), { recursive: true })
    symlinkSync(secret, join(lab.root, path, '.session/attachments', hash))
    symlinkSync(secret, join(lab.root, path, 'notes.md'))
    const line = {
      id: 'planted',
      role: 'user',
      content: 'look',
      timestamp: new Date().toISOString(),
      attachments: [
        { media_type: 'image/png', sha256: hash, bytes: 20 },
        { media_type: 'image/png', sha256: '../../../../secret.png', bytes: 20 },
      ],
    }
    appendFileSync(join(lab.root, path, '.session/messages.jsonl'), `${JSON.stringify(line)}\n`)
    const file = join(outside(), 'a.html')
    const { stderr } = await lab.cortext(['view', id, '-o', file])
    const page = readFileSync(file, 'utf8')
    expect(page).toContain('id="m-')
    expect(page).not.toContain('OUTSIDE-WORDS')
    expect(page).not.toContain('<img')
    expect(stderr).toMatch(/Not shown: .*notes\.md is a symbolic link/)
  })

  // promise: remove the pages among this machine's own files.
  test.each([
    ['delete', ['delete', '--yes']],
    ['redact --apply', ['redact', '--apply']],
  ])('%s removes the page, and the pages of all conversations', async (_name, [verb, flag]) => {
    const { path: file } = await lab.json<{ path: string }>(['view', id, '--json'])
    const { path: index } = await lab.json<{ path: string }>(['view', '--all', '--json'])
    expect([file, index].map((one) => existsSync(one))).toEqual([true, true])
    await lab.json([verb!, id, flag!, '--json'])
    expect([file, index].map((one) => existsSync(one))).toEqual([false, false])
  })
})

describe('view --all', () => {
  const all = (folder: string) =>
    lab.json<{ path: string; pages: number; written: string[]; removed: number }>([
      'view',
      '--all',
      '-o',
      folder,
      '--json',
    ])

  // promise: of one and opens it
  test('writes an index and all pages, and later only changed ones', async () => {
    const folder = join(outside(), 'site')
    const first = await all(folder)
    expect(first.written).toContain(path)
    expect(first.pages).toBe(readdirSync(join(folder, 'pages')).length)
    expect((await all(folder)).written).toEqual([])
    await lab.json(['edit', id, '--title', 'Another title', '--json'])
    expect((await all(folder)).written).toEqual([path])
    const index = readFileSync(join(folder, 'index.html'), 'utf8')
    expect(index).toContain('Another title')
    // Every page that the index leads to is there, and leads back.
    const pages = [...index.matchAll(/<a href="(pages\/[^"]+)"/g)].map(([, page]) => page!)
    expect(pages).toHaveLength(first.pages)
    for (const page of pages)
      expect(readFileSync(join(folder, page), 'utf8')).toContain('href="../index.html"')
  })

  test('writes a missing page again, and removes the page of a deleted conversation', async () => {
    const folder = outside()
    const { pages } = await all(folder)
    rmSync(join(folder, 'pages'), { recursive: true })
    expect((await all(folder)).written).toHaveLength(pages)
    await lab.json(['delete', id, '--yes', '--json'])
    expect(await all(folder)).toMatchObject({ pages: pages - 1, removed: 1, written: [] })
    expect(readdirSync(join(folder, 'pages'))).toHaveLength(pages - 1)
  })

  // promise: a state file that came
  test('writes all pages after a run that was killed before its end, and with a time that is none', async () => {
    const folder = outside()
    const at = join(lab.root, path, '.session/session.json')
    writeFileSync(at, readFileSync(at, 'utf8').replace(/"last_active": "[^"]*"/, '"last_active": "x"'))
    await lab.json(['view', '--all', '-o', folder, '--json'])
    const state = join(folder, '.cortext-view.json')
    expect(JSON.parse(readFileSync(state, 'utf8')).pages).toHaveProperty([path])
    // As before the first page.
    writeFileSync(state, '{"version":1,"pages":{}}\n')
    expect((await lab.cortext(['view', '--all', '-o', folder])).code).toBe(0)
  })

  test('keeps a foreign index.html, and follows no links in the folder', async () => {
    const folder = outside()
    writeFileSync(join(folder, 'index.html'), 'mine')
    const { code, stderr } = await lab.cortext(['view', '--all', '-o', folder])
    expect(code).not.toBe(0)
    expect(stderr).toContain('index.html that cortext did not make')
    expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('mine')
    const [site, victim] = [outside(), outside()]
    symlinkSync(victim, join(site, 'pages'))
    expect((await lab.cortext(['view', '--all', '-o', site])).code).not.toBe(0)
    expect(readdirSync(victim)).toEqual([])
  })

  // promise: a state file that came with a folder cannot have anything else removed
  test('removes and writes nothing else, whatever the state file contains', async () => {
    const folder = outside()
    await all(folder)
    writeFileSync(join(folder, 'mine.html'), 'mine')
    const state = {
      version: 1,
      pages: { '../mine.html': 'x', [`../../${'mine.html'}`]: 'y', __proto__: 'z' },
    }
    writeFileSync(join(folder, '.cortext-view.json'), JSON.stringify(state))
    await all(folder)
    expect(readFileSync(join(folder, 'mine.html'), 'utf8')).toBe('mine')
  })
})
