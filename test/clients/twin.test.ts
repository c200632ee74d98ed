import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientList, importOnly } from '../../src/clients/index.ts'
import { gitEnv, tempBase } from '../helpers/repository.ts'
import { filesBelow as textsBelow } from '../helpers/workspace-lab.ts'
import { FIXTURES, filesBelow, fixturesOf } from './fixtures.ts'

/**
 * Each client once more under another name: its folder copied, and a word in each of two lists. Nothing else of the
 * sources is touched. The program that is built of it has to do with the twin what it does with the client.
 */

const ids = clientList().map(({ id }) => id)
const readers = Object.keys(importOnly)
const PACKAGE = join(import.meta.dirname, '..', '..')
let copy: string

beforeAll(() => {
  copy = realpathSync(mkdtempSync(join(tempBase(), 'cortext-twin-')))
  for (const name of ['src', 'scripts', 'commands', 'templates', 'package.json', 'tsconfig.json'])
    cpSync(join(PACKAGE, name), join(copy, name), { recursive: true })
  symlinkSync(join(PACKAGE, 'node_modules'), join(copy, 'node_modules'))
  for (const id of [...ids, ...readers]) {
    const folder = join(copy, 'src/clients', twinOf(id))
    const original = join(PACKAGE, 'src/clients', id)
    for (const path of filesBelow(original)) {
      const target = join(folder, renamed(id, path))
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, renamed(id, readFileSync(join(original, path), 'utf8')))
    }
    addToLists(id)
  }
  run(join(PACKAGE, 'node_modules/.bin/tsc'), ['--noEmit'])
  run(process.execPath, ['scripts/build.mjs'])
}, 180_000)

afterAll(() => rmSync(copy, { recursive: true, force: true }))

describe.each(ids)('a twin of %s', (id) => {
  const twin = twinOf(id)

  test('is set up in files of its own, and taken out again', () => {
    const [one, other] = [workspace(), workspace()]
    const before = paths(other.root)
    one.cortext('init', '--in', id, '--shared')
    other.cortext('init', '--in', twin, '--shared')
    const [expected, made] = [textsBelow(one.root), textsBelow(other.root)]
    expect(Object.keys(made).sort()).toEqual(
      Object.keys(expected)
        .map((path) => renamed(id, path))
        .sort(),
    )
    // The plugin is built once, and the manifest holds hashes.
    const compared = Object.keys(expected).filter(
      (path) => !/\.js$|manifest\.json$|cortext\/written$/.test(path),
    )
    expect(compared.length).toBeGreaterThan(10)
    for (const path of compared) expect(made[renamed(id, path)]).toBe(renamed(id, expected[path]!))
    other.cortext('uninstall')
    expect(paths(other.root)).toEqual(before)
  })

  test('is read, and resumed by a handoff, as the client is', () => {
    const { name, raw } = fixturesOf(id)[0]!
    const said = [id, twin].map((client) => {
      const { cortext, root, home } = workspace()
      cortext('init', '--in', client, '--shared')
      const file = join(home, `${raw.nativeId}.jsonl`)
      const text = readFileSync(join(FIXTURES, id, `${name}.jsonl`), 'utf8')
      writeFileSync(file, client === id ? text : renamed(id, text))
      cortext('import', client, '--file', file, '--title', 'It')
      const begun = cortext('resume', 'It', '--in', client, '--mode', 'handoff', '--dry-run')
      expect(begun).toContain(client)
      return saidIn(root)
    })
    expect(said[0]!.length).toBeGreaterThan(200)
    expect(said[1]).toBe(renamed(id, said[0]!))
  })
})

test.each(readers)('a twin of %s, which is import-only, is read and handed over as the client is', (id) => {
  const { name, raw } = fixturesOf(id)[0]!
  const said = [id, twinOf(id)].map((client) => {
    const { cortext, root, home } = workspace()
    cortext('init', '--in', 'claude', '--shared')
    const file = join(home, `${raw.nativeId}.jsonl`)
    writeFileSync(file, readFileSync(join(FIXTURES, id, `${name}.jsonl`), 'utf8'))
    cortext('import', client, '--file', file, '--title', 'It')
    expect(cortext('resume', 'It', '--in', 'claude', '--dry-run')).toContain(`held in ${client} last`)
    return saidIn(root)
  })
  expect(said[0]!.length).toBeGreaterThan(200)
  expect(said[1]).toBe(renamed(id, said[0]!))
})

/** What the one record of a workspace holds, but for ids and times. */
function saidIn(root: string): string {
  const texts = Object.entries(textsBelow(root))
  const [, record = ''] = texts.find(([path]) => path.endsWith('messages.jsonl')) ?? []
  const lines = record.split('\n').filter((line) => line !== '')
  return lines
    .map((line) => JSON.parse(line))
    .map(({ role, content, event, tool_calls, client }) =>
      JSON.stringify({ role, content, event, tool_calls, client }),
    )
    .join('\n')
}

function twinOf(id: string): string {
  return `twin${id}`
}

/** The text with the client's id as its twin's, variables included. What our package ships keeps its name. */
function renamed(id: string, text: string): string {
  // A short id is a part of many words.
  return text
    .replace(new RegExp(`(?<![A-Za-z])${id}(?![a-z])`, 'g'), twinOf(id))
    .replace(new RegExp(`(?<![A-Za-z])${id.toUpperCase()}(?![A-Za-z])`, 'g'), twinOf(id).toUpperCase())
    .replace(/(?<=shipped\('dist\/)twin/g, '')
}

/** A line that names the client stands there once more for its twin. */
function addToLists(id: string): void {
  if (readers.includes(id)) {
    edit('import-only.ts', (text) => text.replace('IMPORT_ONLY = [', `IMPORT_ONLY = ['${twinOf(id)}', `))
  } else edit('hook-languages.ts', (text) => twice(id, text))
  const list = readers.includes(id) ? 'Reader> = { ' : 'clients = { '
  edit('index.ts', (text) => twice(id, text).replace(list, `${list}${twinOf(id)}, `))
}

function edit(name: string, change: (text: string) => string): void {
  const path = join(copy, 'src/clients', name)
  writeFileSync(path, change(readFileSync(path, 'utf8')))
}

function twice(id: string, text: string): string {
  const own = new RegExp(`^(?:import \\{ ${id}(?:Hooks)? \\}|  ${id}: ).*\\n`, 'gm')
  return text.replace(own, (line) => line + renamed(id, line))
}

function run(command: string, args: string[], env = {}, cwd = copy): string {
  const { CORTEXT_BUILT: _, ...own } = process.env
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    env: { ...own, ...env },
    encoding: 'utf8',
  })
  expect({ status, complains: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, complains: '' })
  return stdout
}

/** A repository of a person who has no client, and the program that was built of the copy. */
function workspace() {
  const base = mkdtempSync(join(copy, 'lab-'))
  const [root, home] = [join(base, 'work'), join(base, 'home')]
  for (const folder of [root, home]) mkdirSync(folder)
  const env = gitEnv(home)
  run('git', ['init', '--quiet'], env, root)
  const cortext = (...args: string[]) =>
    run(process.execPath, [join(copy, 'dist/bin.cjs'), ...args], env, root)
  return { root, home, cortext }
}

function paths(root: string): string[] {
  return Object.keys(textsBelow(root)).filter((path) => !path.startsWith('.git/'))
}
