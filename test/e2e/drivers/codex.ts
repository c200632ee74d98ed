import { codexEnv, codexPrompt, codexShell, leaveCodex, PLACE, putCodex } from '../codex.ts'
import { tool } from '../reply.ts'
import { say } from '../say.ts'
import { type Machine, NOTES } from './driver.ts'

/** With hooks that the person has trusted. */
export const codex: Machine = {
  env: codexEnv,
  place: PLACE,
  put(lab) {
    const here = putCodex(lab)
    const [command, ...args] = NOTES
    const server = { command, args, default_tools_approval_mode: 'approve' }
    here.config('[mcp_servers.notes]')
    for (const [key, value] of Object.entries(server)) here.config(`${key} = ${JSON.stringify(value)}`)
    return async () => {
      await here.trustHooks()
      return {
        id: 'codex',
        name: 'Codex CLI',
        open: () => here.interactive(),
        ready: codexPrompt,
        readyAgain: codexPrompt,
        say,
        leave: leaveCodex,
        headless: (name, words) => here.headless(`${typed(name)} ${words}`),
        ask: (said) => here.headless(said),
        goOn: (said) => here.headless(said, ['resume', '--last']),
        shell: codexShell,
        typed,
        lookUp: (word) => tool('mcp__notes__look_up', { word }),
        ownWords: {
          path: (name) => `.codex/skills/${name.replaceAll('.', '-')}/SKILL.md`,
          args: (name) => `(the text after \`${typed(name)}\` in their message)`,
        },
      }
    }
  },
}

const typed = (name: string) => `$${name.replaceAll('.', '-')}`
