import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { writeConfig } from '../../../src/workspace/config.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { firstKill, KILL_STRIDE } from '../../helpers/long.ts'
import {
  filesBelow,
  type Lab,
  recordLines,
  sessionFile,
  shown,
  workspaceLab,
} from '../../helpers/workspace-lab.ts'
import { drawer, TOKENS } from '../../redact/redact-corpus.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))
const ID = '001-brainstorm-leak'
// Drawn here, so that no scanner takes this file for a leak.
const [first, second, third, fourth] = [1, 2, 3, 4].map((seed) => TOKENS['github-token']!(drawer(seed))) as [
  string,
  string,
  string,
  string,
]
const SECRETS = [first, second, third, fourth]

interface Report {
  applied: boolean
  found: Record<string, number>
  files: { file: string; found: Record<string, number> }[]
}
const redact = (lab: Lab, ...args: string[]) => lab.json<Report>(['redact', ID, ...args, '--json'])

/** A conversation that was saved by a program without rules; a part of it is pruned, and a subagent has spoken. */
async function leaky() {
  const lab = await workspaceLab()
  writeConfig(lab.root, { redact: false })
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'Leak')
  await claude.turn(`the old token is ${first}`)
  await claude.turn('nothing in here')
  await claude.turn(`the new token is ${second}, and "${second}" again`)
  const { path } = await lab.json<{ path: string }>(['save', ID, '--json'])
  await lab.json(['prune', ID, '--keep', '1', '--yes', '--json'])
  await lab.json(['edit', ID, '--title', `Leak of ${third}`, '--summary', `We used ${third}.`, '--json'])
  const session = join(lab.root, path, '.session')
  mkdirSync(join(session, 'subagents'))
  const said = {
    id: 's1',
    role: 'assistant',
    content: `mine is ${fourth}`,
    timestamp: '2026-01-01T00:00:00.000Z',
  }
  writeFileSync(join(session, 'subagents', 'toolu_1.jsonl'), `${JSON.stringify(said)}\n`)
  appendFileSync(join(session, 'messages.jsonl'), `<<<<<<< ours ${fourth}\r\n`)
  writeConfig(lab.root, { redact: true })
  return { lab, claude, path, session }
}

const everything = (folder: string) => Object.values(filesBelow(folder)).join('\n')

// promise: says what the rules of today find of secrets in what was saved before them
test('E-20 redact without --apply counts the secrets by kind and file, never shows one, and writes nothing', async () => {
  const { lab, session } = await leaky()
  const before = filesBelow(session)
  const { code, stdout, stderr } = await lab.cortext(['redact', ID])
  expect(code, stderr).toBe(0)
  expect(stdout).toMatch(/Would be replaced in ".*": \d+ github-token/)
  for (const file of ['archive/001-', 'subagents/toolu_1.jsonl', 'messages.jsonl: ', 'session.json: '])
    expect(stdout).toContain(file)
  expect(stderr).toContain('cortext redact 1 --apply')
  // The title is printed as the lists print it; the counts are what this test is about.
  for (const secret of [first, second, fourth]) expect(stdout + stderr).not.toContain(secret)
  expect(filesBelow(session)).toEqual(before)
})

test('E-20 E-21 after redact --apply no file of the record has a secret; ids, order and every other line stay byte for byte', async () => {
  const { lab, claude, path, session } = await leaky()
  const before = recordLines(lab, path)
  const report = await redact(lab, '--apply')
  expect(report).toMatchObject({ applied: true, found: { 'github-token': expect.any(Number) } })
  expect(report.files.map(({ file }) => file.replace(/\d{3}-.*/, ''))).toEqual([
    'archive/',
    'subagents/toolu_1.jsonl',
    'messages.jsonl',
    'session.json',
  ])
  for (const secret of SECRETS) expect(everything(session)).not.toContain(secret)
  const after = recordLines(lab, path)
  expect(after).toHaveLength(before.length)
  for (const [i, line] of before.entries()) {
    if (SECRETS.every((secret) => !line.includes(secret))) expect(after[i]).toBe(line)
    else expect(after[i]).toContain('[REDACTED:github-token:')
  }
  expect(readFileSync(join(session, 'messages.jsonl'), 'utf8')).toContain('<<<<<<< ours [REDACTED')
  expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8'))).toMatchObject({
    title: expect.stringMatching(/^Leak of \[REDACTED:/),
    context_summary: expect.stringMatching(/^We used \[REDACTED:/),
  })

  // Neither the next save, which reads the raw journal again, nor a restore brings one back.
  await claude.turn('and on')
  await lab.json(['save', ID, '--json'])
  await lab.json(['prune', ID, '--restore', '--json'])
  for (const secret of SECRETS) expect(everything(session)).not.toContain(secret)
  expect(JSON.stringify(await shown(lab, ID))).toContain('the old token is [REDACTED:github-token:')
  expect(await redact(lab)).toEqual({ path, applied: false, files: [], found: {}, documents: [] })
})

// promise: A project's git history, what was pushed, attachments and documents keep the old text.
test('redact says what it cannot reach: git history, what was pushed, attachments; and that each secret has to be changed', async () => {
  const { lab } = await leaky()
  const { stderr } = await lab.cortext(['redact', ID, '--apply'])
  for (const words of ['Git history', 'pushed', 'attachments', 'change each secret', 'git filter-repo'])
    expect(stderr).toContain(words)
})

test('redact refuses where redaction is off, because the next save would bring the secrets back', async () => {
  const { lab, session } = await leaky()
  writeConfig(lab.root, { redact: false })
  const before = filesBelow(session)
  const { code, stderr } = await lab.cortext(['redact', ID, '--apply'])
  expect(code).not.toBe(0)
  expect(stderr).toContain('redact is off')
  expect(filesBelow(session)).toEqual(before)
})

test('E-16, E-22 after redact was killed at any step on the disk, every file is whole, and the next call does the rest', async () => {
  const { lab, path, session } = await leaky()
  // Publishing first, so that the steps are those of replacing.
  await lab.json(['save', ID, '--json'])
  const start = join(lab.home, 'start')
  cpSync(session, start, { recursive: true })
  const ids = recordLines(lab, path).map(idOf)
  let killed = 0
  for (let step = firstKill(), lived = false; !lived; step += KILL_STRIDE) {
    cpSync(start, session, { recursive: true, force: true })
    const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_AT: String(step) }
    const { code } = await lab.cortext(['redact', ID, '--apply'], { env })
    lived = code === 0
    if (!lived) killed += 1
    expect(recordLines(lab, path).map(idOf)).toEqual(ids)
    for (const [name, text] of Object.entries(filesBelow(session))) {
      if (name.endsWith('.json')) expect(() => JSON.parse(text), name).not.toThrow()
    }
  }
  expect(killed).toBeGreaterThan(4)
  await redact(lab, '--apply')
  for (const secret of SECRETS) expect(everything(session)).not.toContain(secret)
}, 240_000)

function idOf(line: string): string {
  return /"id":"([^"]*)"/.exec(line)?.[1] ?? line.slice(0, 12)
}
