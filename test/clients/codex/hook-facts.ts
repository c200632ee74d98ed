import type { HookFacts } from '../hook-facts.ts'

export const facts: HookFacts = {
  telling: ['SessionStart', 'UserPromptSubmit'],
  tellsOnce: { event: 'UserPromptSubmit', folder: 'PWD' },
  unknown: {
    names: (folder) => ({ PWD: folder }),
    payload: (id) => ({ session_id: id, prompt: 'say "session_id":"x" and workspace' }),
    events: ['SessionStart', 'UserPromptSubmit', 'Stop', 'SessionEnd'],
  },
}
