import type { HookFacts } from '../hook-facts.ts'

export const facts: HookFacts = {
  telling: ['SessionStart', 'UserPromptExpansion'],
  unknown: {
    names: (folder, id) => ({ CLAUDE_PROJECT_DIR: folder, CLAUDE_CODE_SESSION_ID: id }),
    events: ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'],
  },
}
