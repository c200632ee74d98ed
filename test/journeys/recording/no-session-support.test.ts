import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { ejected } from '../../helpers/ejected.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** A workspace in which meetings are not recorded. */
async function unrecorded(): Promise<{ lab: Lab; claude: ClaudeSession }> {
  const lab = await workspaceLab()
  const file = ejected(lab.root, 'templates/registry.json')
  const registry = JSON.parse(readFileSync(file, 'utf8'))
  registry.types.meeting = { ...registry.types.meeting, session_support: false }
  writeFileSync(file, JSON.stringify(registry))
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  return { lab, claude: new ClaudeSession(lab) }
}

interface Told {
  conversations: { id: string; status: string }[]
  documents: string[]
  not_saved: unknown[]
}

test('S2-12 a type without session support gets its document, nothing of it is recorded or committed, and the person is told once', async () => {
  const { lab, claude } = await unrecorded()
  const head = lab.git('rev-parse', 'HEAD')
  const { stdout } = await claude.hook('UserPromptExpansion', {
    ...{ expansion_type: 'slash_command', command_name: 'workspace.meeting', command_args: 'Salaries' },
    ...{ command_source: 'projectSettings', prompt: '/workspace.meeting Salaries' },
  })
  const told = JSON.parse(stdout)
  expect(told.systemMessage).toBe(
    'Not recorded: .workspace/registry.json turns recording off for the type "meeting".',
  )
  const [, document] = /Document: (\S+)/.exec(told.hookSpecificOutput.additionalContext)!
  expect(existsSync(join(lab.root, document!))).toBe(true)
  await claude.hook('UserPromptSubmit', { prompt: '/workspace.meeting Salaries' })
  claude.say('/workspace.meeting Salaries')
  // What its instructions tell the agent, where no hook did.
  const again = await lab.cortext(['agent', 'start', 'meeting', '--title', 'Salaries'], { env: claude.env })
  expect(again.stdout).toContain('Already open')
  expect((await claude.hook('UserPromptSubmit', { prompt: 'ten percent' })).stdout).toBe('')
  claude.say('ten percent')
  await claude.hook('Stop', { stop_hook_active: false })
  const stopped = await lab.cortext(['agent', 'stop'], { env: claude.env })
  expect([stopped.code, stopped.stderr]).toEqual([
    1,
    expect.stringContaining('the type "meeting" is not recorded'),
  ])
  expect(lab.git('rev-parse', 'HEAD')).toBe(head)
  expect(await lab.json<Told>(['list', '--all', '--json'])).toMatchObject({
    ...{ conversations: [], documents: [], not_saved: [] },
  })
  const files = filesBelow(lab.root)
  expect(Object.keys(files).filter((path) => files[path]!.includes('ten percent'))).toEqual([])
})

test('a conversation that is open when one without session support begins is paused, and gets nothing of it', async () => {
  const { lab, claude } = await unrecorded()
  await claude.command('workspace.plan', 'Budget')
  await claude.turn('in the plan')
  await claude.command('workspace.meeting', 'Salaries')
  await claude.turn('ten percent')
  const { conversations, not_saved } = await lab.json<Told>(['list', '--all', '--json'])
  expect(conversations).toMatchObject([{ id: '001-plan-budget', status: 'paused' }])
  expect(not_saved).toEqual([])
  expect(talk(await shown(lab, '001')).join()).not.toContain('ten percent')
})
