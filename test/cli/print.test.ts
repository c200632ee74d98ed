import { expect, test } from 'vitest'
import { wrapForTerminal } from '../../src/cli/print.ts'

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
