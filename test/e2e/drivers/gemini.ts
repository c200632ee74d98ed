import { geminiEnv, handedOver, promptOf, putGemini } from '../gemini.ts'
import { leave, say, shell } from '../gemini-workspace.ts'
import { tool } from '../reply.ts'
import { type Machine, NOTES, putJson } from './driver.ts'

export const gemini: Machine = {
  env: geminiEnv,
  put(lab) {
    const here = putGemini(lab)
    const [command, ...args] = NOTES
    putJson(lab, '.gemini/settings.json', { mcpServers: { notes: { command, args, trust: true } } })
    return () => ({
      id: 'gemini',
      name: 'Gemini CLI',
      open: () => here.interactive(),
      ready: handedOver,
      readyAgain: promptOf,
      say,
      trust: here.trust,
      leave,
      headless: (name, words) => here.headless(`/${name} ${words}`),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--resume', 'latest']),
      shell,
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp_notes_look_up', { word }),
    })
  },
}
