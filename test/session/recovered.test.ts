import { expect, test } from 'vitest'
import { recoveredSession } from '../../src/session/recovered.ts'

const TYPES = ['code', 'code-review', 'brainstorm']

test.each([
  ['001-brainstorm-api-design', 'brainstorm', 'api design'],
  ['001-code-review-parser', 'code-review', 'parser'],
  ['001-code-reviewers', 'code', 'reviewers'],
  ['001-code-review', 'code-review', 'Untitled'],
  ['001-recipe-soup', 'recipe', 'soup'],
])('%s was a conversation of the type %s, called "%s"', (id, type, title) => {
  const { conversation_type, title: found } = recoveredSession(`conversations/2026-11-21/${id}`, TYPES)
  expect([conversation_type, found]).toEqual([type, title])
})
