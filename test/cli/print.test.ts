import { expect, test } from 'vitest'
import { paintOf } from '../../src/cli/picker/screen.ts'
import { allowsMarks, wrapForTerminal } from '../../src/cli/print.ts'

test('an error of several lines keeps its lines in a terminal', () => {
  const error =
    'error: no conversation "qwertz"; the nearest:\n  11-22/7  Quarterly numbers\n  11-22/8  Quartz'
  expect(wrapForTerminal([error], { isTTY: true, columns: 40 })).toEqual([
    'error: no conversation "qwertz"; the',
    '  nearest:',
    '  11-22/7  Quarterly numbers',
    '  11-22/8  Quartz',
  ])
  expect(wrapForTerminal([error], { isTTY: false, columns: 40 })).toEqual([error])
})

test('an empty NO_COLOR counts as none, in lists as in the picker', () => {
  for (const [env, marks] of [
    [{}, true],
    [{ NO_COLOR: '' }, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
  ] as const)
    expect([allowsMarks(env), paintOf(env).bold('x') !== 'x']).toEqual([marks, marks])
})
