import { expect, test } from 'vitest'
import { errorLines } from '../../src/cli/report-error.ts'
import { CortextError } from '../../src/errors.ts'

const NARROW = { isTTY: true, columns: 20 }
const EVIL = '\u001b[2Jclear\u0007'

test('an error and its fix contain no control character, whatever they quote', () => {
  const lines = errorLines(new CortextError('usage', EVIL, { fix: EVIL }), NARROW)
  expect(lines).toHaveLength(2)
  for (const line of lines) expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  expect(errorLines(new Error(EVIL), NARROW).join()).not.toMatch(/[\u0007\u001b]/)
})

test('a terminal breaks the error between words, and leaves the fix whole, so that it can be pasted', () => {
  const error = new CortextError('usage', 'a message of several words', {
    fix: 'cortext list --everywhere --all',
  })
  expect(errorLines(error, NARROW)).toEqual([
    'error: a message of',
    '  several words',
    'fix: cortext list --everywhere --all',
  ])
})

test('a cancellation is one sentence, and a bug shows its stack', () => {
  expect(errorLines(new CortextError('cancelled', 'nothing was deleted', { fix: 'x' }), NARROW)).toEqual([
    'Nothing was deleted.',
  ])
  const bug = errorLines(new TypeError('no'), { isTTY: false, columns: 20 })
  expect(bug.slice(0, 2)).toEqual(['error: no', 'fix: this is a bug in cortext'])
  expect(bug[2]).toMatch(/^TypeError: no\n +at /)
})
