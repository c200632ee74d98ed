import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pruneResult } from '../../src/context/prune-result.ts'
import { resultOf } from '../../src/session/tool-use.ts'
import { text } from '../session/conversations.ts'
import { TOOLS } from './tools.ts'

/** What a tool answers with, whichever client it is of. */
const kindOf = (tool: string) => resultOf(TOOLS, tool, undefined)
const line = (n: number) => `line ${n} ${'x'.repeat(40)}`
const lines = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => line(from + n))

test('S4-P3-4: a file of more than 20 lines keeps the first and the last ten, whatever the client calls its tool', () => {
  const pruned = ['[File: 25 lines]', ...lines(0, 10), '', '... [5 lines omitted] ...', '', ...lines(15, 25)]
  for (const tool of ['Read', 'read_file', 'read', 'ReadFile'])
    expect(pruneResult(lines(0, 25).join('\n'), kindOf(tool))).toBe(pruned.join('\n'))
  expect(pruneResult(lines(0, 20).join('\n'), kindOf('Read'))).toBe(lines(0, 20).join('\n'))
})

test('S4-P3-5: a command’s output of more than 1,000 characters keeps the first and the last 400', () => {
  const output = `${'a'.repeat(700)}${'b'.repeat(700)}`
  for (const tool of ['Bash', 'execute_bash', 'run_shell_command', 'bash'])
    expect(pruneResult(output, kindOf(tool))).toBe(
      `[Command output: 1400 chars]\n${'a'.repeat(400)}\n...\n${'b'.repeat(400)}`,
    )
  expect(pruneResult('a'.repeat(1000), kindOf('Bash'))).toBe('a'.repeat(1000))
})

test('S4-P3-6 X-29: search results of more than 800 characters keep the first 600 and their number; the last line break is not a result', () => {
  const found = `${Array.from({ length: 50 }, (_, n) => `src/file-${n}.ts: match`).join('\n')}\n`
  for (const tool of ['Grep', 'search', 'grep', 'search_file_content'])
    expect(pruneResult(found, kindOf(tool))).toBe(`[Search: 50 results]\n${found.slice(0, 600)}...`)
})

test('S4-P3-7: any other result of more than 800 characters keeps the first 600', () => {
  const output = 'o'.repeat(900)
  expect(pruneResult(output, kindOf('WebFetch'))).toBe(`[Tool output: 900 chars]\n${'o'.repeat(600)}...`)
  expect(pruneResult(output, kindOf(''))).toBe(`[Tool output: 900 chars]\n${'o'.repeat(600)}...`)
  expect(pruneResult('o'.repeat(800), kindOf('WebFetch'))).toBe('o'.repeat(800))
})

test('S4-P3-8, law: a pruned result is never longer than before, and no character is cut in half', () => {
  const tool = fc.constantFrom('Read', 'Bash', 'Grep', 'Other', '')
  const long = fc.array(text, { maxLength: 40 }).map((parts) => parts.join('\n'))
  const faces = fc.nat(900).map((count) => '😀'.repeat(count))
  const halves = (value: string) => value.match(/\p{Surrogate}/gu)?.length ?? 0
  fc.assert(
    fc.property(fc.oneof(long, faces), tool, (content, name) => {
      const pruned = pruneResult(content, kindOf(name))
      expect(pruned.length).toBeLessThanOrEqual(content.length)
      expect(halves(pruned)).toBeLessThanOrEqual(halves(content))
    }),
    { numRuns: 300 },
  )
})
