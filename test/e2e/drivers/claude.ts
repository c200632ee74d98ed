import { claudeEnv, putClaude } from '../claude.ts'
import { bash, tool } from '../reply.ts'
import { say } from '../say.ts'
import type { Terminal } from '../terminal.ts'
import { exit } from '../workspace-lab.ts'
import { type Machine, NOTES, putJson } from './driver.ts'

export const claude: Machine = {
  env: claudeEnv,
  put(lab) {
    const here = putClaude(lab)
    const [command, ...args] = NOTES
    putJson(lab, '.mcp.json', { mcpServers: { notes: { command, args } } })
    here.settings({ enabledMcpjsonServers: ['notes'], permissions: { allow: ['mcp__notes'] } })
    return () => ({
      id: 'claude',
      name: 'Claude Code',
      open: () => here.interactive(),
      ready: prompt,
      readyAgain: prompt,
      say,
      leave: exit,
      headless: (name, words) => here.headless([`/${name} ${words}`]),
      ask: (said) => here.headless([said]),
      goOn: (said) => here.headless(['--continue', said]),
      shell: bash,
      typed: (name) => `/${name}`,
      lookUp: (word) => tool('mcp__notes__look_up', { word }),
    })
  },
}

async function prompt(terminal: Terminal): Promise<void> {
  await terminal.waitFor(/^─+\n❯/m)
}
