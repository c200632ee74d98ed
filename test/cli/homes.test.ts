import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { tempFolder } from '../helpers/repository.ts'
import { workspaceLab } from '../helpers/workspace-lab.ts'
import { program } from '../store/sandbox.ts'

/** Without its clients, `doctor` has found a problem. */
const VERBS = [
  ['list'],
  ['doctor'],
  ['show', '1', '--messages'],
  ['search', 'Topic'],
  ['resume', '1', '--dry-run'],
  ['import', 'claude', '--all'],
  ['save', '1'],
  ['stop', '1'],
  ['stats'],
]

/** Where HOME may lead. The root of /proc, like that of an automounter, says that a folder to be made is not there. */
const HOMES = { 'a device': '/dev/null', 'below a device': '/dev/null/me', 'below /proc': '/proc/me' }

test.skipIf(process.platform !== 'linux').each(Object.entries(HOMES))(
  'a home that is %s: every verb works without it, and ends',
  async (_, HOME) => {
    const lab = await workspaceLab()
    await new ClaudeSession(lab).command('workspace.brainstorm', 'Topic')
    for (const args of VERBS) {
      const run = await lab.cortext(args, { env: { HOME, XDG_STATE_HOME: '' } })
      expect(run.code, `${args.join(' ')}: ${run.stderr}`).toBe(args[0] === 'doctor' ? 1 : 0)
    }
  },
)

test('the home folder does not become a workspace: every folder in it would be part of it', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const HOME = tempFolder()
  const refused = await lab.cortext(['init'], { cwd: HOME, env: { HOME } })
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('is your home folder') })
  expect(readdirSync(HOME)).not.toContain('.claude')
  mkdirSync(join(HOME, '.workspace'))
  expect(await lab.cortext(['init'], { cwd: HOME, env: { HOME } })).toMatchObject({ code: 0 })
})

test('a folder of a client that is a file hides its sessions, and no verb fails', async () => {
  const lab = await workspaceLab()
  await new ClaudeSession(lab).command('workspace.brainstorm', 'Topic')
  const HOME = tempFolder()
  for (const name of ['.claude', '.codex', '.gemini', '.qwen', '.copilot', '.pi', '.local'])
    writeFileSync(join(HOME, name), '')
  for (const args of VERBS) {
    const run = await lab.cortext(args, { env: { HOME } })
    expect(run.code, `${args.join(' ')}: ${run.stderr}`).toBe(args[0] === 'doctor' ? 1 : 0)
  }
})

test('an empty or relative home is none: ours is the one in the list of users, never the work tree', () => {
  const folder = tempFolder()
  const script = program(
    folder,
    `import { currentEnvironment } from './io/environment.ts'
     process.stdout.write(currentEnvironment().home)`,
  )
  const { HOME: _home, USERPROFILE: _profile, ...env } = process.env
  for (const home of [{}, { HOME: '' }, { HOME: 'here' }, { HOME: './here' }, { HOME: '../here' }]) {
    const seen = execFileSync(process.execPath, [script], {
      cwd: folder,
      env: { ...env, ...home },
      encoding: 'utf8',
    })
    expect(seen, JSON.stringify(home)).toBe(userInfo().homedir)
  }
  expect(existsSync(join(folder, 'here'))).toBe(false)
})
