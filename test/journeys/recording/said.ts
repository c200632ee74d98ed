/** The talk of a conversation in which something happens between two turns. */
export const SAID = [
  'user: /workspace.plan Here',
  'assistant: answer to /workspace.plan Here',
  'user: before',
  'assistant: answer to before',
  'user: after',
  'assistant: answer to after',
]
