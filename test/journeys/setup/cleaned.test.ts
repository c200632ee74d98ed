import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const CONSTITUTION = '.workspace/memory/constitution.md'
const COMMAND = '.workspace/commands/workspace.plan.md'
const TEMPLATE = '.workspace/templates/plan.md'
const SETTINGS = '.workspace/config.json'
const OWN = [CONSTITUTION, COMMAND, TEMPLATE, SETTINGS]

/** A private workspace with a conversation of each kind, of which the last is still being recorded. */
async function full(lab: Lab): Promise<ClaudeSession> {
  for (const name of ['constitution', 'plan']) await lab.json(['init', '--eject', name, '--json'])
  for (const path of [CONSTITUTION, COMMAND, TEMPLATE]) appendFileSync(join(lab.root, path), 'mine\n')
  writeFileSync(join(lab.root, SETTINGS), '{ "visibility": "private", "autoPause": { "minutes": 7 } }\n')
  const turn = '{"role":"user","content":"by a loop"}'
  await lab.cortext(['append', '--key', 'a:b'], { input: turn })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  const { path } = await lab.json<{ path: string }>(['save', '--json'], { env: claude.env })
  await lab.json(['fork', '002', '--json'])
  appendFileSync(join(lab.root, path, 'plan.md'), 'what we wrote\n')
  await claude.turn('written')
  return claude
}

/** The text of a file, and what it says where it is JSON: the spaces of settings do not come back. */
function contentOf(lab: Lab, path: string): unknown {
  const text = readFileSync(join(lab.root, path), 'utf8')
  return path.endsWith('.json') ? JSON.parse(text) : text
}

const documents = (lab: Lab) =>
  Object.entries(filesBelow(join(lab.root, 'conversations'))).filter(([path]) => path.endsWith('.md'))

// promise: It only reads; `cortext doctor
// promise: takes away what is private
// promise: The next verb brings it back, with documents as they were after the last turn
test('after git clean -x in a private workspace, the next verb brings back talk, documents and prompts, but no deleted conversation', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const claude = await full(lab)
  const before = documents(lab)
  const said = await Promise.all(['001', '002', '003'].map((id) => shown(lab, id)))
  const own = OWN.map((path) => contentOf(lab, path))
  lab.git('clean', '-fdxq')

  const doctor = await lab.cortext(['doctor'])
  expect(doctor.stdout).toMatch(/PROBLEM +none at or above .*can come back\n +→ cortext init\n/)
  const { code, stderr } = await lab.cortext(['list'])
  expect({ code, stderr }).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('It was set up here too, as by cortext init.'),
  })
  expect(stderr).toContain('Brought back: 3 conversations.')
  expect(OWN.map((path) => contentOf(lab, path))).toEqual(own)
  expect(documents(lab)).toEqual(before)
  for (const [at, id] of ['001', '002', '003'].entries()) expect(await shown(lab, id)).toEqual(said[at])
  await claude.turn('and on')
  await lab.json(['stop', '--json'], { env: claude.env })
  expect(talk(await shown(lab, '002')).at(-1)).toBe('assistant: answer to and on')

  for (const id of ['001', '002', '003']) await lab.json(['delete', id, '--yes', '--json'])
  expect(JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))).not.toMatch(
    /what we wrote|by a loop|Here/,
  )
})

test('a conversation that is begun first after git clean -x does not keep the others from coming back', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  lab.git('clean', '-fdxq')
  await new ClaudeSession(lab).command('workspace.plan', 'Next')
  expect(Object.keys(filesBelow(join(lab.root, 'conversations'))).join()).not.toContain('here')
  expect((await lab.cortext(['list'])).stderr).toContain('Brought back: 1 conversation.')
  expect((await lab.cortext(['list'])).stderr).toBe('')
  expect(documents(lab)).toHaveLength(2)
})

test('what is said after a stop and a git clean -x stays out of the conversation that was stopped', async () => {
  const lab = await workspaceLab({ init: 'private' })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Pears')
  await claude.turn('about pears')
  await lab.json(['stop', '001', '--json'])
  lab.git('clean', '-fdxq')
  await claude.turn('something else')
  await lab.json(['save', '001', '--json'])
  const said = talk(await shown(lab, '001')).join()
  expect(said).toContain('about pears')
  expect(said).not.toContain('something else')
})

test('a conversation in another worktree of a private workspace, or on another branch of a shared one, is not gone', async () => {
  const lab = await workspaceLab({ init: 'private' })
  await lab.json(['start', 'plan', 'Here', '--json'])
  const other = `${lab.root}-other`
  lab.git('worktree', 'add', '--quiet', other)
  expect(await lab.json(['init', other, '--json'])).toMatchObject({ gone: [] })
  const shared = await workspaceLab()
  const { path } = await shared.json<{ path: string }>(['start', 'plan', 'Here', '--json'])
  rmSync(join(shared.root, path), { recursive: true })
  expect((await shared.cortext(['list'])).stderr).toBe('')
})

// promise: stays so (`.git/info/exclude`)
test('after uninstall the conversations of a private workspace stay hidden from the next git add', async () => {
  const lab = await workspaceLab({ init: 'private' })
  await lab.json(['start', 'plan', 'Here', '--json'])
  const { stdout } = await lab.cortext(['uninstall'])
  expect(stdout).toContain('.git/info/exclude still hides them: conversations/')
  expect(lab.git('status', '--porcelain')).toBe('')
  expect(filesBelow(join(lab.root, 'conversations'))).not.toEqual({})
  const shared = await workspaceLab()
  await shared.json(['start', 'plan', 'Here', '--json'])
  expect(await shared.json(['uninstall', '--json'])).toMatchObject({ hidden: [] })
  expect(shared.git('status', '--porcelain')).toContain('?? conversations/')
})
