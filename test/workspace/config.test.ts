import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig, writeConfig } from '../../src/workspace/config.ts'
import { tempFolder } from '../helpers/repository.ts'

function workspace(config?: string) {
  const root = tempFolder()
  const path = join(root, '.workspace/config.json')
  mkdirSync(join(root, '.workspace'))
  if (config !== undefined) writeFileSync(path, config)
  return { root, path, read: () => readFileSync(path, 'utf8') }
}

describe('loadConfig', () => {
  // promise: every key may be absent
  test('the file may be absent: every key has its default', () => {
    expect(loadConfig(tempFolder())).toEqual({
      visibility: 'private',
      commit: 'auto',
      author: true,
      everywhere: true,
      redact: true,
      autoPause: { minutes: 5 },
      capture: { publish: 'stop', toolOutput: 'full', maxInline: 65_536 },
      journal: { keepDays: 30 },
      windows: {},
      resume: {},
      list: { archiveAfterDays: 30, maxOpen: 50 },
      sync: {},
      search: { related: [] },
    })
  })

  test('set keys are kept, and so are keys that we do not know', () => {
    const { root } = workspace('{"capture":{"toolOutput":100,"x":1},"mine":{"y":2}}')
    expect(loadConfig(root)).toMatchObject({
      capture: { toolOutput: 100, publish: 'stop', x: 1 },
      mine: { y: 2 },
    })
  })

  test.each([
    ['{"redact":', /config\.json is not valid JSON/],
    ['[]', /config\.json does not contain a JSON object/],
    ['{"autoPause":{"minutes":-1}}', /config\.json has a wrong value for autoPause\.minutes/],
  ])('a broken file is named, with a way out: %s', (text, message) => {
    const { root } = workspace(text)
    expect(() => loadConfig(root)).toThrow(message)
    expect(() => loadConfig(root)).toThrow(
      expect.objectContaining({ code: 'corrupt', fix: expect.any(String) }),
    )
  })
})

describe('writeConfig', () => {
  test('changes the keys given, in the shape of the file', () => {
    const { root, read } = workspace('{\n\t"mine": 1,\n\t"capture": { "x": 1 }\n}')
    expect(writeConfig(root, { capture: { publish: 'turn' } }).capture.publish).toBe('turn')
    expect(read()).toBe('{\n\t"mine": 1,\n\t"capture": {\n\t\t"x": 1,\n\t\t"publish": "turn"\n\t}\n}')
  })

  test('writes no defaults', () => {
    const { root, read } = workspace()
    writeConfig(root, { visibility: 'shared' })
    expect(read()).toBe('{\n  "visibility": "shared"\n}\n')
  })

  test('a change that would not load is not written', () => {
    const { root, read } = workspace('{}')
    expect(() => writeConfig(root, { commit: 'sometimes' })).toThrow(/commit/)
    expect(read()).toBe('{}')
  })
})

test('a change that changes nothing leaves the file as it was written by hand', () => {
  const written = '{ "visibility": "private", "sync": { "place": "git@example.org:team/talk.git" } }\n'
  const { root, read } = workspace(written)
  writeConfig(root, { visibility: 'private' })
  expect(read()).toBe(written)
})
