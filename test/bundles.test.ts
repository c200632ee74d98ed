import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
// @ts-expect-error a script without types
import { noticesOf, packagesOf } from '../scripts/notices.mjs'
// @ts-expect-error a script without types
import { textImportsForEsbuild } from '../scripts/text-imports.mjs'
import { clients } from '../src/clients/index.ts'
import { tempFolder } from './store/sandbox.ts'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')

test('dist/NOTICES.txt has the licence of every library in the bundles', async () => {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['bin', 'hook', 'cli/index', 'cli/serve', 'journeys/hooks', 'library/index'].map(
      (name) => `src/${name}.ts`,
    ),
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    plugins: [textImportsForEsbuild],
    outdir: 'dist',
    ...{ bundle: true, platform: 'node', format: 'esm', metafile: true, write: false },
  })
  const names: string[] = packagesOf(Object.keys(metafile.inputs)).map((folder: string) =>
    folder.replace(/^.*node_modules\//, ''),
  )
  expect(names.length).toBeGreaterThan(60)
  const notices = readFileSync(join(DIST, 'NOTICES.txt'), 'utf8')
  const missing = names.filter((name) => !notices.includes(`\n${name} `))
  // The build leaves this part of the SDK of MCP out.
  const ajv = ['ajv', 'ajv-formats', 'fast-deep-equal', 'fast-uri', 'json-schema-traverse']
  expect(missing.filter((name) => !ajv.includes(name))).toEqual([])
})

test('a library without the text of its licence stops the build', () => {
  const folder = join(tempFolder(), 'node_modules', 'some-library')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"name":"some-library","version":"1.0.0","license":"MIT"}')
  expect(() => noticesOf('', [folder])).toThrow('some-library 1.0.0 (MIT) comes without the text')
  writeFileSync(join(folder, 'LICENCE'), 'Do what you like.\r\n')
  expect(noticesOf('', packagesOf([join(folder, 'index.js')]))).toContain(
    'some-library 1.0.0 (MIT)\n\nDo what you like.\n',
  )
})

test('every bundle keeps its caches under the same name, so that none throws away what another one has read', () => {
  const named = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.cjs'))
    .flatMap((path) => {
      const [, name] = /\["([0-9a-f]{16})"\]/.exec(readFileSync(join(DIST, path), 'utf8')) ?? []
      return name === undefined ? [] : [{ room: path.split('/')[0]!, name }]
    })
  expect(new Set(named.map(({ room }) => room))).toEqual(
    new Set(['cli', 'complete.cjs', 'journeys', 'library']),
  )
  expect(new Set(named.map(({ name }) => name)).size).toBe(1)
})

test('a list of unchanged conversations loads no reader of a client, no redaction and no git', () => {
  const CLI = join(DIST, 'cli')
  const textOf = (name: string) => readFileSync(join(CLI, name), 'utf8')
  const names = readdirSync(CLI)
  const waiting = names.filter((name) => /^(list|picker)-/.test(name))
  const loaded = new Set(waiting)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    // A dynamic import is a call of `require` in a function of its own, `()=>…require("./chunk.cjs")`.
    const atOnce = textOf(name).replace(/=>[\w$().,=> ]{0,40}require\("[^"]+"\)/g, '')
    for (const [, next] of atOnce.matchAll(/require\("\.\/([^"]+)"\)/g))
      if (!loaded.has(next!)) {
        loaded.add(next!)
        waiting.push(next!)
      }
  }
  expect(loaded.size).toBeGreaterThan(10)
  for (const word of ['[REDACTED:', 'protocol.allow', 'isSidechain']) {
    const having = names.filter((name) => textOf(name).includes(word))
    expect(having, word).not.toEqual([])
    expect(
      having.filter((name) => loaded.has(name)),
      word,
    ).toEqual([])
  }
})

test('the file that every verb loads does not load the module for starting programs', () => {
  expect(readFileSync(join(DIST, 'cli/index.cjs'), 'utf8')).not.toContain('child_process')
})

test('each client has a hook bundle with its own language alone', () => {
  const bundles = readdirSync(DIST).filter((name) => name.startsWith('hook'))
  expect(bundles).toEqual(
    Object.keys(clients)
      .sort()
      .map((id) => `hook-${id}.cjs`),
  )
  // The only client of these names for its events, and the only one whose sessions are several files.
  const having = (word: string) =>
    bundles.filter((name) => readFileSync(join(DIST, name), 'utf8').includes(word))
  expect(having('UserPromptExpansion')).toEqual(['hook-claude.cjs'])
  expect(having('history_base')).toEqual(['hook-codex.cjs'])
})

test.each(['nobody', '../bin', ''])('a hook of the client %j, which nobody knows, does nothing', (client) => {
  const run = spawnSync(process.execPath, [join(DIST, 'bin.cjs'), 'hook', client], {
    input: '{}',
    encoding: 'utf8',
  })
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: '' })
})
