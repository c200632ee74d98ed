import { opencodeEnv, putOpenCode } from '../opencode.ts'
import { tool } from '../reply.ts'
import { say } from '../say.ts'
import { exit } from '../workspace-lab.ts'
import { type Machine, NOTES } from './driver.ts'

const LIMIT = { timeout: 60_000 }

export const opencode: Machine = {
  env: (port) => opencodeEnv(port, { mcp: { notes: { type: 'local', command: NOTES } } }),
  put(lab) {
    const here = putOpenCode(lab)
    return () => ({
      id: 'opencode',
      name: 'OpenCode',
      open: () => here.interactive(),
      ready: async (terminal) => void (await terminal.waitFor('[Resuming', LIMIT)),
      readyAgain: async (terminal) => void (await terminal.waitFor('ctrl+p commands', LIMIT)),
      say,
      leave: exit,
      headless: (name, words) => here.headless(words, ['--command', name]),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--continue']),
      shell: (command) => tool('bash', { command, description: 'a scripted command' }),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('notes_look_up', { word }),
    })
  },
}
