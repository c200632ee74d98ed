import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putProgram } from '../helpers/stand-ins.ts'
import { BIN, ended, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const SESSION = '11111111-2222-3333-4444-555555555555'
const VERBS = ['start plan', 'save', 'stop', 'resume', 'list', 'show 001', 'search words', 'context 001']

// promise: So a repository that an agent has made itself is not used.
// promise: If the client was started outside of every workspace, or the system does not show where (macOS,
// promise: No call that runs unasked reaches another workspace than that of the session
test('an agent reaches no repository that it has made itself: nothing there runs, whatever its configuration says', async () => {
  const lab = await workspaceLab()
  const { made, ran } = madeByAgent(lab)
  for (const verb of VERBS) {
    const run = await byAgent(lab, { client: lab.root, shell: made, verb })
    expect(run, verb).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr, verb).toContain(`Claude Code works in ${lab.root}, and ${made} is another workspace`)
    const elsewhere = await byAgent(lab, { client: lab.home, shell: made, verb })
    expect(elsewhere, verb).toMatchObject({ code: 1, stdout: '' })
    expect(elsewhere.stderr, verb).toContain(`Claude Code was not started in ${made}`)
  }
  expect(existsSync(ran)).toBe(false)
  expect(existsSync(join(made, '.git', 'cortext'))).toBe(false)
})

// promise: If the client was started
test.each([
  ['in the workspace', (lab: Lab) => lab.root],
  ['below it', (lab: Lab) => join(lab.root, 'below')],
  ['in no workspace, where a person has used this one', (lab: Lab) => lab.home],
])('an agent whose client was started %s may use it', async (_, started) => {
  const lab = await workspaceLab()
  mkdirSync(join(lab.root, 'below'))
  for (const verb of ['list', 'search words']) {
    const run = await byAgent(lab, { client: started(lab), shell: join(lab.root, 'below'), verb })
    expect(run, run.stderr).toMatchObject({ code: 0 })
  }
})

// promise: No call that runs unasked
test('a worktree of the same repository is the same workspace, and another one on the list is not', async () => {
  const lab = await workspaceLab()
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'workspace')
  const linked = join(lab.home, 'linked')
  lab.git('worktree', 'add', '-q', linked)
  expect(await byAgent(lab, { client: lab.root, shell: linked, verb: 'list' })).toMatchObject({ code: 0 })
  const other = join(lab.home, 'other')
  mkdirSync(other)
  await lab.json(['init', '--json'], { cwd: other })
  expect(await byAgent(lab, { client: lab.root, shell: other, verb: 'list' })).toMatchObject({ code: 1 })
  expect(await byAgent(lab, { client: other, shell: other, verb: 'list' })).toMatchObject({ code: 0 })
})

/** A repository in a folder where an agent may write, whose configuration names programs. */
function madeByAgent(lab: Lab) {
  const made = join(lab.root, 'made')
  const ran = join(lab.home, 'ran')
  mkdirSync(made)
  lab.git('init', '-q', made)
  cpSync(join(lab.root, '.workspace'), join(made, '.workspace'), { recursive: true })
  writeFileSync(join(made, '.gitattributes'), '* filter=x\n')
  const programs = { 'filter.x.clean': `touch ${ran}; cat`, 'gpg.program': join(lab.home, 'sign') }
  writeFileSync(join(lab.home, 'sign'), `#!/bin/sh\ntouch ${ran}\nexit 1\n`, { mode: 0o755 })
  for (const [name, value] of Object.entries({ ...programs, 'commit.gpgSign': 'true' }))
    lab.git('-C', made, 'config', name, value)
  return { made, ran }
}

/** A call as Claude Code makes it: its process works in one folder, and its shell, which has its variables, in another. */
function byAgent(lab: Lab, { client, shell, verb }: { client: string; shell: string; verb: string }) {
  const bin = putProgram(join(lab.home, 'bin'), 'cortext', `exec ${process.execPath} ${BIN} "$@"`)
  const call = `cd ${shell} && cortext agent ${verb}`
  const asShell = `env CLAUDECODE=1 CLAUDE_CODE_SESSION_ID=${SESSION} sh -c '${call}; exit $?'`
  return ended(
    spawn('sh', ['-c', `${asShell}; exit $?`], {
      cwd: client,
      env: { ...lab.env, PATH: `${bin}:${process.env.PATH}` },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  )
}
