import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, type LabOptions, workspaceLab } from '../../helpers/workspace-lab.ts'

/** A conversation of three turns, one with a tool, stopped in the client as a person would. */
export async function held(options: LabOptions = {}, open = workspaceLab) {
  const lab = await open(options)
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design Discussion')
  await claude.turn('we need to be simple', 'Then REST.')
  claude.user('look at the file')
  claude.assistant(
    [{ type: 'tool_use', id: 'toolu_x', name: 'Read', input: { file_path: '/a' } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_x', content: 'line\n"quoted" \u0007 é 🎈\r\nend' }])
  claude.assistant([{ type: 'text', text: 'Seen.' }])
  await claude.hook('Stop')
  const [found] = (await lab.json<{ conversations: { path: string; id: string }[] }>(['list', '--json']))
    .conversations
  const { path, id } = found!
  const folder = join(lab.root, path)
  return { lab, claude, path, id, folder }
}

/** Stops it in the client. */
export const stop = (lab: Lab, claude: ClaudeSession) =>
  claude.command('workspace.stop-conversation', '', () =>
    lab.cortext(['stop', '--summary-stdin'], { env: claude.env, input: 'Leaning toward REST.\n' }),
  )

export const read = (folder: string) =>
  JSON.parse(readFileSync(join(folder, '.session/session.json'), 'utf8'))
export const lines = (folder: string) =>
  readFileSync(join(folder, '.session/messages.jsonl'), 'utf8').trimEnd().split('\n')
