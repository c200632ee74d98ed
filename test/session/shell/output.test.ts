import { expect, test } from 'vitest'
import { plainOutput } from '../../../src/session/shell/output.ts'

const old = (exit_code: number, output: string, more: object = {}) =>
  JSON.stringify({ output, metadata: { exit_code, duration_seconds: 0.3 }, ...more })

test.each([
  [
    old(0, '[main 1a2b3c4] Add it\n'),
    'Exit code: 0\nWall time: 0.3 seconds\nOutput:\n[main 1a2b3c4] Add it\n',
  ],
  [old(1, '1 failed'), 'Exit code: 1\nWall time: 0.3 seconds\nOutput:\n1 failed'],
  [old(0, 'x', { of: 'another tool' }), old(0, 'x', { of: 'another tool' })],
  ['{"output":"cut', '{"output":"cut'],
  ['plain', 'plain'],
])('the output of a command is read as people read it: %s', (text, plain) => {
  expect(plainOutput(text)).toBe(plain)
})
