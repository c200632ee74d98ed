import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClaudeSession } from './claude-session.ts'
import { conversationNamed, type Lab, shown, talk, workspaceLab } from './workspace-lab.ts'

export const ID = '001-brainstorm-long'

/** A saved conversation with a command and then `turns` turns. The third turn calls a tool. */
export async function long(turns = 6) {
  const begun = { name: `long-${turns}`, by: (lab: Lab) => talkLong(lab, turns) }
  const lab = await workspaceLab({ begun })
  return { lab, claude: ClaudeSession.inLab(lab), path: conversationNamed(lab, ID) }
}

async function talkLong(lab: Lab, turns: number): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Long')
  for (let number = 1; number <= turns; number++) {
    claude.user(`turn ${number}`)
    if (number === 3) {
      const input = { file_path: '/a' }
      claude.assistant([{ type: 'tool_use', id: 'toolu_3', name: 'Read', input }], 'tool_use')
      claude.user([{ type: 'tool_result', tool_use_id: 'toolu_3', content: 'what was in it' }])
    }
    claude.assistant([{ type: 'text', text: `answer ${number}` }])
  }
  await lab.json(['save', ID, '--json'])
}

interface Pruned {
  pruned: { lines: number; messages: number; archive: string } | null
  would_move: { lines: number; messages: number; bytes: number; kept: number } | null
}
export const prune = (lab: Lab, ...args: string[]) => lab.json<Pruned>(['prune', ID, ...args, '--json'])
export const restore = (lab: Lab) => lab.json(['prune', ID, '--restore', '--json'])
export const bytes = (lab: Lab, path: string) =>
  readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'latin1')
export const archives = (lab: Lab, path: string) => {
  const folder = join(lab.root, path, '.session/archive')
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.jsonl')) : []
}
export const asked = async (lab: Lab, id = ID) =>
  talk(await shown(lab, id))
    .filter((line) => line.startsWith('user'))
    .map((line) => line.slice(6))

export function linesIn(lab: Lab, path: string, name: string): string[] {
  const text = readFileSync(join(lab.root, path, '.session/archive', name), 'utf8')
  return text.split('\n').filter((line) => line !== '')
}
