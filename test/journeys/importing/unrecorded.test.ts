import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { doctorLab } from '../../helpers/doctor-lab.ts'
import { type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** The repository is made anew over its work tree, and this machine's own state is gone with the old one. */
function loseState(lab: Lab): void {
  rmSync(join(lab.root, '.git'), { recursive: true })
  execFileSync('git', ['init', '--quiet', '--initial-branch=trunk'], { cwd: lab.root, env: lab.env })
}

// promise: `cortext doctor` says how to take in what your clients still
test('turns that only the client has, since .git was lost, are reported by doctor and resume, and imported', async () => {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.turn('of no conversation')
  await claude.command('workspace.plan', 'Here')
  await claude.turn('saved')
  await lab.json(['save', '--json'], { env: claude.env })
  await claude.turn('not saved')
  const other = new ClaudeSession(lab)
  await other.command('workspace.debug', 'Never saved')
  await other.turn('said there')
  loseState(lab)
  // The next one begins in the same session. Its hooks are still there.
  await claude.command('workspace.plan', 'There')
  await lab.json(['stop', '--json'], { env: claude.env })

  const { problems } = await lab.doctor()
  const fixes = problems.filter(({ code }) => code === 'unrecorded').map(({ fix }) => fix)
  expect(fixes.sort()).toEqual([claude, other].map(({ id }) => `cortext import claude ${id}`).sort())
  const { stdout } = await lab.cortext(['resume', '001', '--dry-run'])
  expect(stdout).toContain(
    'has 2 messages that the record lacks. To import them first: cortext import claude',
  )

  for (const fix of fixes) await lab.json([...fix!.split(' ').slice(1), '--json'])
  expect(talk(await shown(lab, '001'))).toEqual(
    ['of no conversation', '/workspace.plan Here', 'saved', 'not saved'].flatMap((said) => [
      `user: ${said}`,
      `assistant: answer to ${said}`,
    ]),
  )
  expect(talk(await shown(lab, '002')).at(-1)).toBe('assistant: answer to said there')
  const { problems: left } = await lab.doctor()
  expect(left.filter(({ code }) => code === 'unrecorded')).toEqual([])
})

test('after .git was deleted and made again during a session, its stop saves the conversation, and makes no second one', async () => {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  await claude.turn('before')
  loseState(lab)
  await claude.turn('after')
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
  expect(await lab.json(['list', '--json'])).toMatchObject({ conversations: [{ status: 'paused' }] })
  expect(talk(await shown(lab, '001'))).toEqual(
    ['/workspace.plan Here', 'before', 'after'].flatMap((said) => [
      `user: ${said}`,
      `assistant: answer to ${said}`,
    ]),
  )
})

test('talk after a stop is reported, and is not a problem, on a machine without its bindings too', async () => {
  const lab = await doctorLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Here')
  await claude.command('workspace.stop-conversation', '', () => lab.cortext(['stop'], { env: claude.env }))
  await claude.turn('of no conversation')
  loseState(lab)
  const { problems, notes } = await lab.doctor()
  expect(problems.filter(({ code }) => code === 'unrecorded')).toEqual([])
  expect(notes.map(({ message }) => message).join()).toContain('2 messages said after the stop of 1 "Here"')
})
