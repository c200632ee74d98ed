import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findType, loadRegistry, readRegistry, registerType } from '../../src/workspace/registry.ts'
import { tempPack } from '../helpers/pack.ts'
import { tempFolder } from '../helpers/repository.ts'

function workspace(registry: string) {
  const root = tempFolder()
  const path = join(root, '.workspace/registry.json')
  mkdirSync(join(root, '.workspace'))
  writeFileSync(path, registry)
  return { root, path }
}

describe('loadRegistry', () => {
  test('S2-12 the shipped types, with their session support, where a workspace has none', () => {
    const types = loadRegistry(tempFolder(), tempPack())
    expect([...types.keys()]).toEqual(['brainstorm', 'chat'])
    expect(types.get('brainstorm')).toMatchObject({ command: '/workspace.brainstorm', session_support: true })
  })

  test("a person's entry takes precedence, and every key of it may be missing", () => {
    const { root } = workspace(
      '{"types":{"interview":{},"brainstorm":{"folder":"Idées/raw notes v1.2","session_support":false}}}',
    )
    const types = loadRegistry(root, tempPack())
    expect(types.get('interview')).toEqual({
      name: 'interview',
      command: '/workspace.interview',
      folder: 'conversations',
      template: 'interview',
      session_support: true,
      description: '',
    })
    expect(types.get('brainstorm')).toMatchObject({ folder: 'Idées/raw notes v1.2', session_support: false })
  })

  test.each([
    ...['../up', '/abs', '.git', 'a/../b', 'a/.workspace', 'a\\b', 'a/GIT~1', ''],
    ...['a;id', 'a/$(id)', 'a`id`', "a'b", 'a ', 'a.', 'a:b', 'a*', '-a', 'a\nb'],
  ])(
    'a type with a folder %j that leaves the workspace or is no plain name is left out, and reported',
    (folder) => {
      const { root } = workspace(JSON.stringify({ types: { x: { folder }, y: {} } }))
      const { types, wrong } = readRegistry(root, tempPack())
      expect([...types.keys()]).toEqual(['y', 'brainstorm', 'chat'])
      expect(wrong).toEqual([
        expect.stringMatching(/^\.workspace\/registry\.json: the type "x" is left out: folder:/),
      ])
    },
  )

  // promise: what is no message
  test('a type with a planted name is left out, however many there are, and begins no line of ours', () => {
    const names = [
      'a\nfix: rm -rf ~',
      '__proto__',
      'x'.repeat(1000),
      ...Array.from({ length: 50 }, (_, n) => `Type ${n}`),
    ]
    const { root } = workspace(`{"types":{${names.map((name) => `${JSON.stringify(name)}:{}`).join(',')}}}`)
    const { types, wrong } = readRegistry(root, tempPack())
    expect([...types.keys()]).toEqual(['brainstorm', 'chat'])
    expect(wrong).toHaveLength(4)
    expect(wrong.join('')).not.toContain('\n')
    expect(wrong.at(-1)).toBe('and 50 more types')
  })

  test('a file that is no list of types is refused', () => {
    const { root } = workspace('{"types":3}')
    expect(() => loadRegistry(root, tempPack())).toThrow(/registry\.json has a wrong value for types/)
  })

  test('the error for an unknown type names the existing ones', () => {
    expect(() => findType(tempFolder(), 'rant', tempPack())).toThrow(
      expect.objectContaining({ code: 'not-found', fix: expect.stringContaining('brainstorm') }),
    )
  })
})

describe('registerType', () => {
  test('adds to the file and keeps what is in it', () => {
    const { root, path } = workspace('{\n    "mine": 1,\n    "types": {}\n}\n')
    registerType(root, 'interview', { description: 'Ask' }, tempPack())
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      mine: 1,
      types: { interview: { command: '/workspace.interview', description: 'Ask' } },
    })
    expect(readFileSync(path, 'utf8')).toContain('\n    "mine"')
  })

  test.each(['aux', 'con', 'com1'])(
    'no type has the name %s: nobody could check its documents out on Windows',
    (name) => {
      const { root } = workspace('{}')
      expect(() => registerType(root, name, { description: '' }, tempPack())).toThrow(/Windows has no files/)
    },
  )

  test.each(['brainstorm', 'chat', 'resume', 'stop-conversation', 'add'])('the name %s is taken', (name) => {
    const { root } = workspace('{}')
    expect(() => registerType(root, name, { description: '' }, tempPack())).toThrow(/is taken/)
  })

  test.each(['', 'Big', '1st', 'a b', '../x', 'a'.repeat(31), '-x', 'a.b'])('%j is not a name', (name) => {
    const { root, path } = workspace('{}')
    expect(() => registerType(root, name, { description: '' }, tempPack())).toThrow(/cannot be the name/)
    expect(readFileSync(path, 'utf8')).toBe('{}')
  })
})
