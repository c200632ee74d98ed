import { expect, it } from 'vitest'
import { wholeOutput } from '../../../src/clients/codex/read/results.ts'

const CUT =
  'Exit code: 0\nOutput:\nWarning: truncated output (original token count: 20)\nTotal output lines: 1\n\n'

it('an output that Codex has cut by a few letters is whole again', () => {
  const whole = 'a'.repeat(120)
  const shown = `${CUT}${whole.slice(0, 50)}…10 tokens truncated…${whole.slice(-50)}`
  const outcome = { failed: false, refused: false, output: whole }
  expect(wholeOutput(shown, outcome)).toBe(`Exit code: 0\nOutput:\n${whole}`)
  expect(wholeOutput(shown, { ...outcome, output: 'a'.repeat(99) })).toBe(shown)
})
