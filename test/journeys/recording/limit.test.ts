import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { putProgram } from '../../helpers/stand-ins.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** A recorded session on a machine with these other clients. */
async function recorded(others: string[]) {
  const lab = await workspaceLab()
  const bin = join(lab.home, 'clients')
  for (const name of ['claude', ...others]) putProgram(bin, name, 'exit 0')
  lab.env.PATH = [bin, '/usr/bin', '/bin'].join(delimiter)
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  return { lab, claude }
}

const LIMIT = { error: 'rate_limit', last_assistant_message: 'API Error: Request rejected (429)' }
const TOLD = expect.stringMatching(
  /^Claude Code refused a turn because of its limit of use \(.+\)\. To go on in Codex CLI: cortext resume 1 --in codex$/,
)

async function refused(claude: ClaudeSession, prompt: string, failure: object = LIMIT): Promise<string> {
  const { stdout } = await claude.hook('UserPromptSubmit', { prompt })
  claude.say(prompt, 'API Error: Request rejected (429)')
  expect((await claude.hook('StopFailure', failure)).stdout).toBe('')
  return stdout
}

test('after a turn that the client refused at its limit of use, the next prompt says how to go on elsewhere, once', async () => {
  const { lab, claude } = await recorded(['codex'])
  expect(await refused(claude, 'one')).toBe('')
  expect(talk(await shown(lab, '001')).join()).toContain('one')
  expect(JSON.parse(await refused(claude, 'two'))).toEqual({ systemMessage: TOLD })
  expect(JSON.parse((await claude.hook('UserPromptSubmit', { prompt: 'three' })).stdout)).toEqual({
    systemMessage: TOLD,
  })
  claude.say('three')
  await claude.hook('Stop')
  expect((await claude.hook('UserPromptSubmit', { prompt: 'four' })).stdout).toBe('')
})

test('nothing is said after another failure, without another client, or after the longest limit', async () => {
  const { claude } = await recorded(['codex'])
  await refused(claude, 'one', { error: 'overloaded' })
  expect(await refused(claude, 'two')).toBe('')
  const alone = await recorded([])
  await refused(alone.claude, 'one')
  expect(await refused(alone.claude, 'two')).toBe('')
  const long = await recorded(['codex'])
  await refused(long.claude, 'one')
  const folder = join(long.lab.root, '.git/cortext/bindings')
  const binding = join(folder, readdirSync(folder)[0]!)
  const text = readFileSync(binding, 'utf8')
  expect(text).toContain('"limited_at"')
  writeFileSync(binding, text.replace(/("limited_at": ?)"[^"]*"/, '$1"2026-01-01T00:00:00Z"'))
  expect(await refused(long.claude, 'two')).toBe('')
})
