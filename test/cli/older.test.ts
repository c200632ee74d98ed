import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const DAY = 24 * 60 * 60_000

/** A workspace whose conversations were touched last so many days ago, each of another day, the newest last. */
async function touched(days: number[], fields: object = {}): Promise<Lab> {
  const lab = await workspaceLab()
  for (const [at, ago] of days.entries()) {
    const time = new Date(Date.now() - ago * DAY).toISOString()
    const folder = join(lab.root, 'conversations', time.slice(0, 10), `001-plan-talk-${at}`, '.session')
    mkdirSync(folder, { recursive: true })
    const session = {
      ...{ version: '1.0', conversation_id: `001-plan-talk-${at}`, conversation_type: 'plan' },
      ...{ title: `Talk ${at}`, status: 'paused', created_at: time, last_active: time },
      ...{ message_count: 2, token_count: 10, context_summary: 'said', agent_sessions: [] },
      agent_config: { client: 'claude', command: '/workspace.plan', model: 'x', tools: [] },
      ...fields,
    }
    writeFileSync(join(folder, 'session.json'), JSON.stringify(session))
    writeFileSync(join(folder, 'messages.jsonl'), '')
  }
  return lab
}

/** What the agent is told to show when the person types `/workspace.resume`. */
async function listInClaude(lab: Lab): Promise<string> {
  const claude = new ClaudeSession(lab)
  const { stdout } = await claude.hook('UserPromptExpansion', {
    ...{ expansion_type: 'slash_command', command_name: 'workspace.resume', command_args: '' },
    ...{ command_source: 'projectSettings', prompt: '/workspace.resume' },
  })
  return JSON.parse(stdout).hookSpecificOutput.additionalContext
}

describe('after thirty days', () => {
  test('S1-003a X-15: if all conversations are old, every list shows them', async () => {
    const lab = await touched([40, 50])
    for (const verb of [[], ['list'], ['resume', '--list']]) {
      const { stdout } = await lab.cortext(verb)
      expect(stdout).toContain('Talk 0')
      expect(stdout).toContain('Talk 1')
    }
    const bare = await lab.json<{ conversations: unknown[] }>(['--json'])
    expect(bare.conversations).toHaveLength(2)
    expect(await listInClaude(lab)).toContain('Talk 1')
    expect((await lab.cortext(['resume'])).stderr).not.toContain('No resumable')
    expect((await lab.cortext(['resume', '--last', '--print'])).stdout).toContain('Talk 0')
  })

  test('a mixed list counts the older ones, and names the command that shows them', async () => {
    const lab = await touched([1, 40, 50])
    const older = '2 not shown: 2 quiet for 30 days. All of them: cortext list --all'
    for (const verb of [[], ['resume'], ['list']]) {
      const { stdout, stderr } = await lab.cortext(verb)
      expect(stdout).not.toContain('Talk 2')
      expect(stderr).toContain(older)
    }
    expect((await lab.cortext(['resume', '--list'])).stdout).toContain('Talk 2')
    const inClient = await listInClaude(lab)
    expect(inClient).not.toContain('Talk 2')
    expect(inClient).toContain(older)
  })

  test('if all are completed, no list says that there are none', async () => {
    const lab = await touched([1, 2], { status: 'completed' })
    const all = '2 not shown: 2 completed. All of them: cortext list --all'
    expect((await lab.cortext([])).stdout).toContain(all)
    expect((await lab.cortext(['resume'])).stderr).toContain(all)
    expect(await listInClaude(lab)).toContain(all)
    expect(existsSync(join(lab.root, '.workspace/registry.json'))).toBe(false)
  })
})
