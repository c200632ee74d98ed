import { leaveQwen, putQwen, qwenEnv, qwenPrompt, qwenShell } from '../qwen.ts'
import { tool } from '../reply.ts'
import { say } from '../say.ts'
import { type Machine, NOTES, putJson } from './driver.ts'

export const qwen: Machine = {
  env: qwenEnv,
  put(lab) {
    const here = putQwen(lab)
    const [command, ...args] = NOTES
    putJson(lab, '.qwen/settings.json', {
      $version: 4,
      mcpServers: { notes: { command, args, trust: true } },
    })
    return () => ({
      id: 'qwen',
      name: 'Qwen Code',
      open: () => here.interactive(),
      ready: qwenPrompt,
      readyAgain: qwenPrompt,
      say,
      leave: leaveQwen,
      headless: (name, words) => here.headless(`/${name} ${words}`),
      ask: (said) => here.headless(said),
      goOn: (said) => here.headless(said, ['--continue']),
      shell: qwenShell,
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    })
  },
}
