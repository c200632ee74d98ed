import type { HookFacts } from '../hook-facts.ts'

export const facts: HookFacts = {
  telling: ['BeforeAgent'],
  tellsOnce: { event: 'BeforeAgent', folder: 'GEMINI_PROJECT_DIR' },
  unknown: {
    names: (folder, id) => ({ GEMINI_PROJECT_DIR: folder, GEMINI_SESSION_ID: id }),
    events: ['SessionStart'],
    notes: 'SessionStart',
  },
}
