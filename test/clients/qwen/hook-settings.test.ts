import { expect, test } from 'vitest'
import { qwen } from '../../../src/clients/qwen/index.ts'

const settings = qwen.settings!

// promise: what you run with `!` is in no record; without a terminal, or by its mode `auto`, its model
test('no rule lets the agent run a call unasked, for such a rule would allow more', () => {
  expect(Object.keys(settings.add({}))).toEqual(['hooks'])
})

test('the version that the client writes into a file is neither taken for ours nor taken away', () => {
  const theirs = { $version: 4, ui: { theme: 'Default' } }
  expect(settings.remove(settings.add(theirs))).toEqual(theirs)
  expect(settings.remove({ ...settings.add({}), $version: 4 })).toEqual({ $version: 4 })
  expect(settings.blank).toEqual({ $version: 4 })
})

test('our hook does not run at a plain start', () => {
  const { hooks } = settings.add({}) as { hooks: Record<string, { matcher?: string }[]> }
  const { matcher } = hooks.SessionStart![0]!
  for (const source of ['resume', 'clear', 'compact']) expect(source).toMatch(new RegExp(matcher!))
  expect('startup').not.toMatch(new RegExp(matcher!))
})
