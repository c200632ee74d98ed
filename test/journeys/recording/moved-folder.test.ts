import { cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'
import { SAID } from './said.ts'

/** A conversation that is being recorded, with one turn in its record. */
async function recorded(lab: Lab): Promise<{ claude: ClaudeSession; path: string }> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  await claude.turn('before')
  const { path } = await lab.json<{ path: string }>(['save', '--json'], { env: claude.env })
  return { claude, path }
}

test.each([
  ['renamed', (path: string) => `${dirname(path)}/001-plan-there`],
  ['moved', () => 'projects/api/plan'],
])(
  'a folder that is %s while it is recorded stays the conversation, and recording continues',
  async (_, where) => {
    const lab = await workspaceLab()
    const { claude, path } = await recorded(lab)
    const to = where(path)
    mkdirSync(dirname(join(lab.root, to)), { recursive: true })
    renameSync(join(lab.root, path), join(lab.root, to))
    await claude.turn('after')
    expect(await lab.json(['stop', '--json'], { env: claude.env })).toMatchObject({
      path: to,
      status: 'paused',
    })
    expect(existsSync(join(lab.root, path))).toBe(false)
    expect(await lab.json(['list', '--json'])).toMatchObject({
      conversations: [{ path: to, status: 'paused' }],
    })
    expect(talk(await shown(lab, '001'))).toEqual(SAID)
    await lab.json(['delete', '001', '--yes', '--json'])
    expect(JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))).not.toMatch(/001-plan|projects.api/)
  },
)

test('after the first list a moved folder is known, and the end of its session is saved in it', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await recorded(lab)
  renameSync(join(lab.root, path), join(lab.root, 'here'))
  await claude.turn('after')
  expect(await lab.json(['list', '--json'])).toMatchObject({
    conversations: [{ path: 'here', status: 'active' }],
  })
  await claude.turn('last')
  await lab.json(['save', '--json'], { env: claude.env })
  expect(talk(await shown(lab, '001')).slice(0, -2)).toEqual(SAID)
  expect(existsSync(join(lab.root, path))).toBe(false)
})

test('after a folder is copied, recording continues in the original', async () => {
  const lab = await workspaceLab()
  const { claude, path } = await recorded(lab)
  cpSync(join(lab.root, path), join(lab.root, 'a-copy'), { recursive: true })
  writeFileSync(join(lab.root, 'a-copy', 'mine.md'), 'mine')
  await claude.turn('after')
  expect(await lab.json(['stop', '--json'], { env: claude.env })).toMatchObject({ path })
})
