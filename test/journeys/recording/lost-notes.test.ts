import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const TITLE = 'REST vs gRPC für Müller'

test.each(['shared', 'private'] as const)(
  '%s: after the local folder was deleted while a conversation was open, the next prompt binds its session again, with all turns and the typed title',
  async (init) => {
    const lab = await workspaceLab({ init })
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', TITLE)
    await claude.turn('one')
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    const told = await claude.hook('UserPromptSubmit', { prompt: 'two' })
    expect(JSON.parse(told.stdout).systemMessage).toContain('recorded again, from its beginning')
    claude.say('two')
    await claude.hook('Stop', { stop_hook_active: false })
    await claude.turn('three')
    expect(await lab.json(['list', '--json'])).toMatchObject({
      conversations: [{ title: TITLE, type: 'brainstorm', status: 'active' }],
    })
    const { stdout } = await lab.cortext(['doctor'])
    expect(stdout).not.toContain('no client is set up')
    expect(stdout).toContain('the hooks of claude, codex, copilot, gemini, opencode, pi, qwen are in force')
    await lab.json(['stop', '--json'], { env: claude.env })
    const said = talk(await shown(lab, '1')).filter((line) => line.startsWith('user: '))
    expect(said).toEqual([`user: /workspace.brainstorm ${TITLE}`, 'user: one', 'user: two', 'user: three'])
  },
)

test('a session whose transcript names no conversation is bound to none: the person is told once, and the folder of a stranger stays as it is', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  rmSync(join(lab.root, '.git/cortext'), { recursive: true, force: true })
  const day = new Date().toISOString().slice(0, 10)
  const folder = join(lab.root, 'conversations', day, '001-brainstorm-rest-vs-grpc-fur-muller')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'brainstorm.md'), `# ${TITLE}\n`)
  const claude = new ClaudeSession(lab)
  claude.say('one')
  const first = await claude.hook('UserPromptSubmit', { prompt: 'two' })
  expect(JSON.parse(first.stdout).systemMessage).toContain('so this session is not recorded')
  expect((await claude.hook('UserPromptSubmit', { prompt: 'three' })).stdout).toBe('')
  expect(existsSync(join(folder, '.session'))).toBe(false)
  expect(existsSync(join(lab.root, '.git/cortext/journal/claude', `${claude.id}.jsonl`))).toBe(false)
  const { stdout, stderr } = await lab.cortext(['list'])
  expect(stdout).toContain(`001-brainstorm-rest-vs-grpc-fur-muller  ${TITLE}`)
  expect(stderr).toContain(
    'The hooks of claude, codex, copilot, gemini, opencode, pi, qwen are in force here',
  )
  await lab.json(['import', 'claude', claude.id, '--into', folder, '--json'])
  expect(await lab.json(['list', '--json'])).toMatchObject({ conversations: [{ title: TITLE }] })
})
