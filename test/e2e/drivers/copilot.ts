import { copilotEnv, copilotPrompt, leaveCopilot, putCopilot, say } from '../copilot.ts'
import { tool } from '../reply.ts'
import { type Machine, NOTES, putJson } from './driver.ts'

/** With a project that the person trusts. */
export const copilot: Machine = {
  env: copilotEnv,
  put(lab) {
    const here = putCopilot(lab)
    const [command, ...args] = NOTES
    putJson(lab, '.mcp.json', { mcpServers: { notes: { command, args } } })
    here.allow({ kind: 'mcp', serverName: 'notes', toolName: 'look_up' })
    return () => ({
      id: 'copilot',
      name: 'Copilot CLI',
      open: () => here.interactive(),
      ready: copilotPrompt,
      readyAgain: copilotPrompt,
      say,
      leave: leaveCopilot,
      headless: (name, words) => here.headless(`/${name} ${words}`),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--continue']),
      shell: (line) => tool('bash', { command: line, description: 'a scripted command' }),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('notes-look_up', { word }),
    })
  },
}
