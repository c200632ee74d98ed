import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Atif, TraceHead, TraceLine } from '../../extras/export/published.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { conversationNamed, filesBelow, type Lab, shown, workspaceLab } from '../../helpers/workspace-lab.ts'

/** Made here, so that no scanner finds a secret in this file. */
const TOKEN = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`

async function talked(): Promise<Lab> {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Limits')
  claude.user('Add a limit, @octocat; it fixes #12')
  claude.assistant([{ type: 'text', text: 'I read first.' }], 'tool_use')
  claude.assistant(
    [{ type: 'tool_use', id: 'call1', name: 'Read', input: { file_path: `${lab.root}/src/api.ts` } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'call1', content: 'export const api = 1' }])
  claude.assistant(
    [{ type: 'tool_use', id: 'call2', name: 'Write', input: { file_path: `${lab.root}/src/limit.ts` } }],
    'tool_use',
  )
  claude.user([{ type: 'tool_result', tool_use_id: 'call2', content: 'created' }])
  claude.assistant([{ type: 'text', text: 'We decided to use a token bucket.' }])
  await lab.json(['stop', '001', '--json'])
  return lab
}

/** Puts a secret into the record as an older version, which did not know its kind, would have left it there. */
function plant(lab: Lab, from: string, to: string): void {
  const file = join(lab.root, conversationNamed(lab, '001-brainstorm-limits'), '.session/messages.jsonl')
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to))
}

test('no format tells the folders of the machine, unless --paths asks for them', async () => {
  const lab = await talked()
  for (const args of [
    ...['markdown', 'html', 'json', 'atif', 'hf'].map((format) => ['export', '1', '--format', format]),
    ['export', '1', '--for', 'pr'],
  ]) {
    const { stdout } = await lab.cortext(args)
    expect(stdout, args.join(' ')).not.toContain(lab.root)
    expect(stdout, args.join(' ')).toContain('src/limit.ts')
    if (args.includes('json')) expect(JSON.parse(stdout).messages.length).toBeGreaterThan(5)
  }
  await lab.json(['view', '--all', '--output', 'pages', '--json'])
  for (const [path, text] of Object.entries(filesBelow(join(lab.root, 'pages'))))
    expect(text, path).not.toContain(lab.root)
  expect((await lab.cortext(['export', '1', '--paths'])).stdout).toContain(`${lab.root}/src/limit.ts`)
  expect(readFileSync((await lab.cortext(['view', '1'])).stdout.trim(), 'utf8')).not.toContain(lab.root)
})

test('a range takes numbers and ids and is widened to whole calls, which stderr reports', async () => {
  const lab = await talked()
  const all = await shown(lab, '001')
  const calls = all.filter((one) => JSON.stringify(one).includes('"call1"'))
  expect(calls).toHaveLength(2)
  const cut = await lab.cortext(['export', '001', '--format', 'json', '--to', calls[0]!.id])
  expect(cut.stderr).toContain('1 message more than asked for')
  expect(JSON.parse(cut.stdout).messages.at(-1)).toEqual(calls[1])
  const part = await lab.cortext(['export', '001', '--from', '3', '--to', '3'])
  expect(part.stdout).toContain('Add a limit')
  expect(part.stdout).not.toContain('token bucket')
  expect(await lab.cortext(['export', '001', '--from', '99'])).toMatchObject({ code: 1, stdout: '' })
  expect(await lab.cortext(['export', '001', '--from', '3', '--to', '1'])).toMatchObject({ code: 2 })
})

// promise: The text for a pull request is made from the record without a model, pings nobody and refers
test('the text for a pull request has requests, decisions and project paths, and pings nobody', async () => {
  const lab = await talked()
  const { stdout, stderr, code } = await lab.cortext(['export', '001', '--for', 'pr'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Add a limit, `＠octocat;` it fixes `#12`')
  expect(stdout).toContain('- We decided to use a token bucket.')
  expect(stdout).toContain('- `src/limit.ts` (created)')
  expect(stdout).not.toContain(lab.root)
  expect(stdout).not.toContain('@')
  expect(await lab.cortext(['export', '001', '--for', 'pr', '--format', 'atif'])).toMatchObject({ code: 2 })
})

// promise: searched for secrets once more, and every format says what it cannot hold
// promise: is redacted once more
test('an export for others is redacted once more, and says so', async () => {
  const lab = await talked()
  plant(lab, 'token bucket', `token ${TOKEN} bucket`)
  for (const args of [
    ['--for', 'pr'],
    ['--format', 'atif'],
    ['--format', 'hf'],
  ]) {
    const { stdout, stderr } = await lab.cortext(['export', '001', ...args])
    expect(stdout, args.join(' ')).toContain('[REDACTED:')
    expect(stdout).not.toContain(TOKEN)
    expect(stderr).toContain('Secrets that were replaced for this export: 1 ')
  }
  const before = await lab.cortext(['export', '001', '--format', 'hf', '--to', '3'])
  expect(before.stderr, 'a secret that is not in the range').not.toContain('Secrets')
  expect((await lab.cortext(['export', '001', '--for', 'pr'])).stdout).toContain('1 secret was replaced')
})

// promise: writes it out (
// promise: searched for secrets once more,
test('other formats match their schemas, and stderr and --json list omissions', async () => {
  const lab = await talked()
  const atif = await lab.cortext(['export', '001', '--format', 'atif'])
  const { steps, agent } = Atif.parse(JSON.parse(atif.stdout))
  expect(agent).toMatchObject({ name: 'claude', version: 'unknown' })
  expect(steps.flatMap(({ tool_calls: calls = [] }) => calls)).toHaveLength(2)
  expect(atif.stderr).toContain('atif cannot contain:\n  ')
  const trace = await lab.cortext(['export', '001', '--format', 'hf'])
  const [head, ...lines] = trace.stdout.trimEnd().split('\n')
  TraceHead.parse(JSON.parse(head!))
  for (const line of lines) TraceLine.parse(JSON.parse(line))
  expect(trace.stderr).toContain('hf cannot contain:\n  ')
  const told = await lab.json<{ not_held: { what: string; count: number }[]; document: string }>([
    'export',
    '001',
    '--format',
    'hf',
    '--json',
  ])
  expect(told.document).toBe(trace.stdout)
  for (const { what, count } of told.not_held) expect(trace.stderr).toContain(`  ${count} × ${what}`)
  expect(told.not_held.length).toBeGreaterThan(0)
})

test('the page is the one that view writes, byte for byte, and in a part each message keeps its number', async () => {
  const lab = await talked()
  const file = join(lab.root, 'talk.html')
  await lab.json(['view', '001', '-o', file, '--json'])
  const whole = await lab.cortext(['export', '001', '--format', 'html'])
  expect(whole).toEqual({ code: 0, stderr: '', stdout: readFileSync(file, 'utf8') })
  const all = [...whole.stdout.matchAll(/<article id="m-(\d+)"/g)].map(([, number]) => number)
  const part = await lab.cortext(['export', '001', '--format', 'html', '--from', '3', '--to', '4'])
  expect([...part.stdout.matchAll(/<article id="m-(\d+)"/g)].map(([, number]) => number)).toEqual(
    all.filter((number) => number === '3' || number === '4'),
  )
  expect(part.stdout).toContain('from #3 to #4')
  expect(part.stdout).not.toContain('Limits</div>')
  const calls = (await shown(lab, '001')).filter((one) => JSON.stringify(one).includes('"call1"'))
  const cut = await lab.json(['export', '001', '--format', 'html', '--to', calls[0]!.id, '--json'])
  expect(cut).toMatchObject({ format: 'html', widened: 1, redacted: {}, not_held: [], not_shown: [] })
  expect(await lab.cortext(['export', '001', '--format', 'html', '--from', '99'])).toMatchObject({ code: 1 })
  expect(await lab.cortext(['export', '001', '--format', 'html', '--for', 'pr'])).toMatchObject({ code: 2 })
})
