import { expect, test } from 'vitest'
import { summaryPrompt } from '../../src/context/summary-prompt.ts'
import { said } from '../session/conversations.ts'

test('S4-P3-18…21: a model is asked with exactly this prompt', () => {
  const messages = [
    said('u', { content: 'Fix the login' }),
    said('t', { role: 'tool', tool_name: 'Bash', content: `${'o'.repeat(199)}😀 more` }),
    said('a', { role: 'assistant', content: 'Fixed.' }),
  ]
  const { system, user, maxTokens } = summaryPrompt(messages, 500)
  for (const kept of ['original task/goal', 'decisions and their rationale', 'created, modified, or deleted'])
    expect(system).toContain(kept)
  for (const kept of ["what's done, what's pending", 'errors encountered', 'constraints or preferences'])
    expect(system).toContain(kept)
  for (const dropped of ['Greetings', 'Full file contents', 'Detailed tool outputs', 'Redundant'])
    expect(system.split('DO NOT include')[1]).toContain(dropped)
  expect(system).toContain('concise narrative paragraph, not bullet points')
  expect(user).toBe(
    `Target length: approximately 500 tokens.\n\nCONVERSATION TO SUMMARIZE:\n\nUSER: Fix the login\n\nTOOL: [Tool Bash: ${'o'.repeat(199)}...]\n\nASSISTANT: Fixed.`,
  )
  expect(maxTokens).toBe(600)
})

test('S4-P3-21: a result that does not name its tool gets the name from its call', () => {
  const call = said('c', { role: 'assistant', tool_calls: [{ id: 't', name: 'Bash', arguments: {} }] })
  const result = said('r', { role: 'tool', tool_call_id: 't', content: 'done' })
  expect(summaryPrompt([call, result], 500).user).toMatch(/TOOL: \[Tool Bash: done\.\.\.\]$/)
})
