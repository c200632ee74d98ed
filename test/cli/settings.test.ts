import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../src/workspace/config.ts'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { documentAt } from '../helpers/documents.ts'
import { tempFolder } from '../helpers/repository.ts'
import { type Lab, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** The rows of the table of settings: key and default, as they are written there. */
const TOLD = [...documentAt('docs/settings.md').matchAll(/^\| `([\w.]+)` *\| (.*?) *\|/gm)].map(
  ([, key, value]) => ({
    key: key!,
    value: value!.replaceAll('`', ''),
  }),
)

describe('the settings of docs/settings.md', () => {
  // promise: every key may be absent
  test('every key has the default that the page names, no key is missing, and none is invented', () => {
    const root = tempFolder()
    const defaults = flat(loadConfig(root))
    const told = (key: string) => TOLD.some((one) => one.key === key || one.key.startsWith(`${key}.`))
    expect(
      Object.keys(defaults).filter((key) => !told(key)),
      'a new setting: add a row to docs/settings.md',
    ).toEqual([])
    mkdirSync(join(root, '.workspace'))
    for (const { key, value } of TOLD) {
      if (key !== 'visibility') expect(String(defaults[key] ?? ''), key).toBe(value)
      const [first, second] = key.split('.')
      const wrong = { [first!]: second === undefined ? [[]] : { [second]: [[]] } }
      writeFileSync(join(root, '.workspace/config.json'), JSON.stringify(wrong))
      expect(() => loadConfig(root), key).toThrow(key)
    }
  })

  // promise: `never`: a stop saves and does not commit
  test('"commit": "never": a stop saves and does not commit', async () => {
    const lab = await workspaceLab()
    const head = lab.git('rev-parse', 'HEAD')
    set(lab, { commit: 'never' })
    await held(lab)
    expect(await lab.json(['stop', '001', '--json'])).toMatchObject({
      notCommitted: expect.stringContaining('never'),
    })
    expect(lab.git('rev-parse', 'HEAD')).toBe(head)
    expect(talk(await shown(lab, '001'))).toContain('user: one')
  })

  // promise: In a shared workspace, or one that has a place, each
  // promise: whom your messages name
  // promise: Git's `user.name`; `false`: nobody; a text: this name for everybody
  // promise: A message in a shared workspace, or in a private one that has a place
  // promise: `"author": false` in `.workspace/config.json` turns that off.
  test.each([
    [true, 'Ada'],
    [false, undefined],
    ['The Countess', 'The Countess'],
  ])('"author": %j names %s', async (author, name) => {
    const lab = await workspaceLab()
    lab.git('config', 'user.name', 'Ada')
    set(lab, { author })
    await held(lab)
    await lab.json(['save', '001', '--json'])
    const typed = (await shown(lab, '001')).filter(({ role }) => role === 'user')
    expect(typed.map((one) => Reflect.get(one, 'author'))).toEqual([name, name])
  })

  // promise: the client to resume in when nothing else decides
  test('"client" is the client to resume in when nothing else decides', async () => {
    const lab = await workspaceLab()
    await lab.json(['start', 'plan', 'Release', '--json'])
    const chosen = async (...more: string[]) =>
      /^Client: (.*?),/m.exec((await lab.cortext(['resume', '001', '--dry-run', ...more])).stdout)?.[1]
    set(lab, { client: 'gemini' })
    expect(await chosen()).toBe('Gemini CLI')
    set(lab, { client: 'opencode' })
    expect(await chosen()).toBe('OpenCode')
    expect(await chosen('--in', 'claude')).toBe('Claude Code')
  })

  // promise: tokens of history that a resume gives
  test('"resume.budget" is what a resume gives', async () => {
    const lab = await workspaceLab()
    await held(lab)
    set(lab, { resume: { budget: 777 } })
    expect((await lab.cortext(['resume', '001', '--print'])).stderr).toMatch(/^Context: \d+ of 777 tokens/m)
  })

  // promise: the history is at most 20,000
  // promise: Without it: what the window
  test('without "resume.budget" a handoff takes 60,000 at most; a running session and a loop without a model 20,000', async () => {
    const lab = await workspaceLab()
    const claude = await held(lab)
    for (let turn = 0; turn < 8; turn++) await claude.turn(`${turn}`, 'so it was said '.repeat(1000))
    await lab.json(['stop', '001', '--json'])
    const handoff = await lab.cortext(['resume', '001', '--print'])
    expect(handoff.stderr).toContain(' of 60000 tokens')
    const ask = async (...args: string[]) =>
      (await lab.cortext(['agent', 'resume', ...args], { env: claude.env })).stdout
    let here = await ask('001')
    for (const [, part] of here.matchAll(/--part (\d+)/g)) here += await ask('--part', part!)
    const told = (text: string) => text.split('so it was said').length - 1
    expect(told(handoff.stdout)).toBe(8000)
    expect(told(here)).toBeGreaterThan(3000)
    expect(told(here)).toBeLessThan(5000) // four tokens each
    await lab.json(['append', '--json'], { input: '{"role":"user","content":"hello"}\n' })
    const loop = await lab.json<{ receipt: object }>(['context', '--key', 'cli:default', '--json'])
    expect(loop.receipt).toMatchObject({ budget: 20_000 })
  })

  // promise: how much of a tool's output is kept: all of it, that many bytes, or `metadata` for none
  test.each([
    ['full', (output: string) => output],
    [5000, (output: string) => expect.not.stringContaining(output)],
    ['metadata', () => expect.not.stringContaining('line of it')],
  ])('"capture.toolOutput": %j', async (toolOutput, kept) => {
    const lab = await workspaceLab()
    set(lab, { capture: { toolOutput } })
    const output = 'line of it\n'.repeat(2000)
    await withOutput(lab, output)
    expect(await outputOf(lab)).toEqual(kept(output))
    if (toolOutput === 5000) expect((await outputOf(lab)).length).toBeLessThan(5500)
  })

  // promise: bytes up to which a tool's output stays whole in its line
  // promise: Of a longer one the line keeps the first and the last 8 KB
  test('"capture.maxInline": of a longer output the line keeps 8 KB of both ends, the whole is outside git', async () => {
    const lab = await workspaceLab()
    set(lab, { capture: { maxInline: 30_000 } })
    const output = `${'head\n'.repeat(4000)}middle${'tail\n'.repeat(4000)}`
    await withOutput(lab, output)
    await lab.json(['stop', '001', '--json'])
    const line = await outputOf(lab)
    expect(line.startsWith(output.slice(0, 8000)) && line.endsWith(output.slice(-8000))).toBe(true)
    expect(line).not.toContain('middle')
    expect(line.length).toBeLessThan(2 * 8192 + 500)
    expect(lab.git('ls-files')).not.toContain('attachments')
    expect(lab.git('status', '--porcelain', '--untracked-files=all')).not.toContain('attachments')
    expect((await lab.json<{ hits: unknown[] }>(['search', 'middle', '--json'])).hits).toHaveLength(1)
  })
})

function set(lab: Lab, values: object): void {
  writeFileSync(join(lab.root, '.workspace/config.json'), JSON.stringify({ visibility: 'shared', ...values }))
}

async function held(lab: Lab): Promise<ClaudeSession> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn('one')
  return claude
}

async function withOutput(lab: Lab, output: string): Promise<void> {
  const claude = await held(lab)
  claude.user('build it')
  claude.assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }], 'tool_use')
  claude.user([{ type: 'tool_result', tool_use_id: 't1', content: output }])
  claude.assistant([{ type: 'text', text: 'built' }])
  await claude.hook('Stop')
}

async function outputOf(lab: Lab): Promise<string> {
  return String((await shown(lab, '001')).find(({ role }) => role === 'tool')!.content)
}

/** `{a: {b: 1}}` as `{'a.b': 1}`; an empty object is a value. */
function flat(value: object, before = ''): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      typeof one === 'object' && one !== null && Object.keys(one).length > 0
        ? Object.entries(flat(one, `${before}${key}.`))
        : [[before + key, typeof one === 'object' ? JSON.stringify(one) : one]],
    ),
  )
}
