import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from 'esbuild'
import { expect, test } from 'vitest'
import { clientList } from '../../src/clients/index.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { BIN, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const NEEDED = /needs Node 20\.19 or newer, and node is 16\.20\.2 here/

/** The variables of a shell in which this node calls itself Node 16, before anything of the program runs. */
function oldNode(lab: Lab): Record<string, string> {
  const file = join(lab.home, 'old.cjs')
  const versions = "{ ...process.versions, node: '16.20.2' }"
  writeFileSync(file, `Object.defineProperty(process, 'versions', { value: ${versions} })`)
  return { NODE_OPTIONS: `--require=${file}` }
}

// promise: Needs Node 20.19 or newer
test('an older node first on PATH: every verb names it with the one that is needed, and nothing else happens', async () => {
  const lab = await workspaceLab()
  const env = oldNode(lab)
  for (const args of [['list'], ['doctor'], ['init'], [], ['agent', 'save'], ['mcp']]) {
    const run = await lab.cortext(args, { env })
    expect(run, args.join(' ')).toMatchObject({ code: 1, stdout: '' })
    expect(run.stderr).toMatch(new RegExp(`^error: cortext ${NEEDED.source} .*\\nfix: .*\\n$`))
  }
  const { code, stdout } = await lab.cortext(['list', '--json'], { env })
  expect({ code, error: JSON.parse(stdout).error }).toMatchObject({
    code: 1,
    error: { message: expect.stringMatching(NEEDED), fix: expect.any(String) },
  })
  expect(await lab.cortext(['__complete', '1', 'cortext', ''], { env })).toMatchObject({
    stdout: '',
    stderr: '',
  })
  expect((await lab.cortext(['--version'], { env })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('an older node first on PATH: hooks tell the person once a session, and doctor says it afterwards', async () => {
  const lab = await workspaceLab()
  const env = oldNode(lab)
  const [first, second] = [new ClaudeSession(lab), new ClaudeSession(lab)]
  const hook = (claude: ClaudeSession, name: string) =>
    lab.cortext(['hook', 'claude'], {
      env: { ...env, ...claude.env },
      input: JSON.stringify({
        session_id: claude.id,
        transcript_path: claude.transcript,
        cwd: lab.root,
        hook_event_name: name,
        prompt: 'A word',
      }),
    })
  const told = []
  for (const claude of [first, second])
    for (const name of [
      'SessionStart',
      'UserPromptSubmit',
      'Stop',
      'UserPromptSubmit',
      'Stop',
      'SessionEnd',
    ]) {
      claude.say('A word')
      const { code, stdout, stderr } = await hook(claude, name)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      if (stdout !== '') told.push(`${name}: ${JSON.parse(stdout).systemMessage}`)
    }
  expect(told).toHaveLength(2)
  for (const line of told)
    expect(line).toMatch(new RegExp(`^UserPromptSubmit: Not recorded: .*${NEEDED.source}`))
  const doctor = await lab.cortext(['doctor'])
  expect(doctor.stdout.replace(/\n\s+/g, ' ')).toMatch(NEEDED)
})

test('an older node first on PATH: each client shows the person what the hook prints, and goes on', async () => {
  const lab = await workspaceLab()
  const env = { ...oldNode(lab), COPILOT_CLI: '1' }
  for (const { id } of clientList()) {
    const plugin = { event: 'turn-start', session: id, directory: lab.root }
    const fields = { session_id: id, cwd: lab.root, prompt: 'A word', ...plugin }
    const name = id === 'gemini' ? 'BeforeAgent' : 'UserPromptSubmit'
    const input = JSON.stringify({ ...fields, hook_event_name: name })
    const more = id === 'claude' ? { CLAUDECODE: '1' } : {}
    const run = await lab.cortext(['hook', id], { env: { ...env, ...more }, input })
    expect(`${run.stdout}${run.stderr}`, id).toMatch(NEEDED)
    expect(run.code, id).toBe(id === 'copilot' ? 42 : 0)
  }
})

test('what an older node loads has the syntax of Node 12', () => {
  for (const name of ['bin.cjs', 'old-node.cjs']) {
    const code = readFileSync(join(BIN, '..', name), 'utf8')
    const asIs = transformSync(code, { target: 'esnext' }).code
    expect(transformSync(code, { target: 'node12' }).code === asIs, name).toBe(true)
    expect(code, 'Node 12 knows its modules by their short names').not.toMatch(/require\("node:/)
  }
})
