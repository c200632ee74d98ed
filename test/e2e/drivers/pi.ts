import { leavePi, piEnv, piPrompt, putPi } from '../pi.ts'
import { tool } from '../reply.ts'
import { say } from '../say.ts'
import { type Machine, NOTES, putJson } from './driver.ts'

/** With a project that the person trusts. */
export const pi: Machine = {
  env: piEnv,
  put(lab) {
    const here = putPi(lab)
    const [command, ...args] = NOTES
    putJson(lab, '.pi/mcp.json', { mcpServers: { notes: { command, args, exposure: 'direct' } } })
    return () => ({
      id: 'pi',
      name: 'Pi',
      open: () => here.interactive(),
      ready: piPrompt,
      readyAgain: piPrompt,
      say,
      leave: leavePi,
      headless: (name, words) => here.headless(`/${name} ${words}`),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--continue']),
      shell: (command) => tool('bash', { command }),
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    })
  },
}
