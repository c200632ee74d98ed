import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { read } from '../e2e/reply.ts'
import type { Terminal } from '../e2e/terminal.ts'
import { CORTEXT, NODE, openWindows, type Windows } from './machine.ts'

/** The main job on Windows, with the real node.exe, git.exe and claude.exe, and Gemini CLI under node.exe. */
describe.sequential('on Windows', () => {
  let machine: Windows
  let start: Record<string, string>

  beforeAll(async () => {
    machine = await openWindows()
    beKnownToClaude(machine)
    installGemini(machine)
    writeFileSync(join(machine.project, 'orders.md'), 'Orders have an id and a total.\r\n')
    start = filesOf(machine.project)
  })
  afterAll(() => machine?.close())

  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await machine.cortext(...args, '--json')
    if (code !== 0) throw new Error(`cortext ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`)
    return JSON.parse(stdout)
  }
  const claude = (...args: string[]) => machine.run(['C:\\bin\\claude.exe', '-p', ...args])

  test('init finds claude.exe and gemini.cmd, and sets them up', async () => {
    const { code, stdout, stderr } = await machine.cortext('init', '--shared')
    show('cortext init', stdout + stderr)
    expect(code).toBe(0)
    expect(stdout).toMatch(/Claude Code .*\.claude/)
    expect(stdout).toMatch(/Gemini CLI .*\.gemini/)
    for (const path of ['.claude/settings.local.json', '.gemini/settings.json'])
      show(path, readFileSync(join(machine.project, path), 'utf8'))
  })

  test('three turns in claude.exe are recorded, one of them with a tool', async () => {
    const { model } = machine
    model.when('What do orders have', read('C:\\project\\orders.md'), 'An id and a total.')
    model.when('And the fields', 'By a list in the query.')
    model.when('Then REST it is', 'REST.')
    show('/workspace.brainstorm', (await claude('/workspace.brainstorm API design')).stdout)
    show('turn 2', (await claude('--continue', 'What do orders have?')).stdout)
    show('turn 3', (await claude('--continue', 'And the fields?')).stdout)
    expect(await said(json)).toEqual([
      'user: /workspace.brainstorm API design',
      'assistant: Scripted answer 1.',
      'user: What do orders have?',
      'tool: 1\tOrders have an id and a total.',
      'assistant: An id and a total.',
      'user: And the fields?',
      'assistant: By a list in the query.',
    ])
  })

  test('a stop saves and commits by git.exe, and the list has the conversation', async () => {
    const stopped = await machine.cortext('stop', '001', '--summary', 'Leaning toward REST.')
    show('cortext stop', stopped.stdout + stopped.stderr)
    expect(stopped.stdout).toContain('Session saved.')
    const list = await machine.cortext('list', '--all')
    show('cortext list', list.stdout)
    expect(list.stdout).toMatch(/001-brainstorm-api-design +brainstorm +paused .* claude +API design/)
    const { stdout } = await machine.run(['C:\\bin\\git.exe', 'log', '--format=%s', '--name-only', '-1'])
    expect(stdout).toContain('/001-brainstorm-api-design/.session/messages.jsonl')
  })

  test('a resume starts claude.exe with what was said, and records and saves what is said then', async () => {
    const terminal = machine.terminal([NODE, CORTEXT, 'resume', '001', '--mode', 'handoff'])
    await terminal.waitFor('for shortcuts', LONG)
    show('cortext resume, in a terminal', terminal.screen())
    expect(terminal.screen()).toContain('[Resuming "API design"]')
    const asked = machine.model.requests.length
    await tell(terminal, 'Then REST it is', () => machine.model.requests.length > asked)
    await expect.poll(() => said(json), LONG).toContain('user: Then REST it is')
    const { body } = machine.model.requests.at(-1)!
    for (const words of ['[RESUMED CONVERSATION]', 'An id and a total.', 'Then REST it is'])
      expect(JSON.stringify(body)).toContain(words)
    await expect.poll(() => said(json), LONG).toContain('assistant: REST.')
    await leave(terminal)
    expect(await json('show', '001')).toMatchObject({ session: { status: 'paused' } })
    expect((await machine.cortext('stop', '001')).code).toBe(0)
  })

  test('a handoff starts Gemini CLI through the batch file of npm, and it takes the history', async () => {
    const terminal = machine.terminal([NODE, CORTEXT, 'resume', '001', '--in', 'gemini'])
    await terminal.waitFor('Type your message', LONG)
    show('cortext resume --in gemini, in a terminal', terminal.screen())
    const chats = join(machine.drive, 'users/root/.gemini/tmp/project/chats')
    const taken = () =>
      existsSync(chats) ? readdirSync(chats).map((name) => readFileSync(join(chats, name), 'utf8')) : []
    await expect.poll(taken, LONG).toContainEqual(expect.stringContaining('An id and a total.'))
    terminal.close()
  })

  test('doctor finds nothing wrong', async () => {
    const { stdout, code } = await machine.cortext('doctor')
    show('cortext doctor', stdout)
    expect(stdout).toContain('Claude Code 2.1.330, tested')
    expect(stdout).toContain('Gemini CLI 0.61.0, tested')
    expect(stdout).not.toContain('PROBLEM')
    expect(code).toBe(0)
  })

  test('uninstall takes back what init wrote, and leaves the conversations', async () => {
    const { stdout, stderr } = await machine.cortext('uninstall')
    show('cortext uninstall', stdout + stderr)
    const left = Object.keys(filesOf(machine.project)).filter((path) => !(path in start))
    expect(left.filter((path) => !path.startsWith('conversations/'))).toEqual([])
    expect(left.join()).toContain('messages.jsonl')
  })
})

const LONG = { timeout: 90_000, interval: 500, every: 500 }

/**
 * Types a prompt until it has arrived. Under Wine, the terminal's answers to a client's first questions mix with what is
 * typed, and the screen does not show for sure what the client has read.
 */
async function tell(terminal: Terminal, words: string, arrived: () => boolean): Promise<void> {
  for (let tries = 1; !arrived() && tries <= 6; tries++) {
    await sleep(4_000)
    terminal.press('C-u')
    terminal.type(words)
    await sleep(4_000)
    terminal.press('Enter')
    for (let looks = 0; !arrived() && looks < 40; looks++) await sleep(500)
  }
}

/** Ends a client by Ctrl-C twice. Under Wine the screen cannot be read then, so it is pressed again if nothing ends. */
async function leave(terminal: Terminal): Promise<void> {
  for (let tries = 1; ; tries++) {
    for (let times = 0; times < 3; times++) {
      terminal.press('C-c')
      await sleep(1_000)
    }
    try {
      await terminal.waitForExit({ timeout: 30_000 })
      return
    } catch (error) {
      if (tries === 4) throw new Error(`still running:\n${programs()}`, { cause: error })
    }
  }
}

/** The Windows programs that run, of this machine and of others. */
function programs(): string {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,stat,args'], { encoding: 'utf8' }).split('\n')
  return lines.filter((line) => /\.exe/.test(line) && !/system32/.test(line)).join('\n')
}

/** `user: text`, `assistant: text` and `tool: text` of the one conversation. */
async function said(json: (...args: string[]) => Promise<{ messages: Message[] }>): Promise<string[]> {
  const { messages } = await json('show', '001', '--messages')
  return messages
    .filter(({ event, content }) => event === undefined && content !== '')
    .map(({ role, content }) => `${role}: ${String(content).trim().split('\n')[0]}`)
}

interface Message {
  role: string
  content: unknown
  event?: string
}

/** What Claude Code has noted after the questions of a first run. */
function beKnownToClaude({ drive }: Windows): void {
  const key = 'sk-ant-a-dummy-key-for-tests-only'
  const trusted = { hasTrustDialogAccepted: true }
  const state = {
    ...{ hasCompletedOnboarding: true, theme: 'dark' },
    ...{ hasSeenAutoDefaultNotice: true, hasSeenAutoDefaultNudge: true },
    customApiKeyResponses: { approved: [key.slice(-20)], rejected: [] },
    projects: { 'C:/project': trusted, 'C:\\project': trusted },
  }
  const home = join(drive, 'users', 'root')
  writeFileSync(join(home, '.claude.json'), JSON.stringify(state))
  mkdirSync(join(home, '.claude'), { recursive: true })
  writeFileSync(
    join(home, '.claude', 'settings.json'),
    JSON.stringify({ tui: 'default', permissions: { defaultMode: 'default' } }),
  )
}

/** As `npm install -g` leaves it, with npm's own batch file. */
function installGemini({ drive }: Windows): void {
  const script = '%dp0%\\..\\users\\npm\\node_modules\\@google\\gemini-cli\\bundle\\gemini.js'
  const lines = [
    ...[
      '@ECHO off',
      'GOTO start',
      ':find_dp0',
      'SET dp0=%~dp0',
      'EXIT /b',
      ':start',
      'SETLOCAL',
      'CALL :find_dp0',
    ],
    `endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%" --no-warnings=DEP0040 "${script}" %*`,
  ]
  writeFileSync(join(drive, 'bin', 'gemini.cmd'), lines.map((line) => `${line}\r\n`).join(''))
  const own = join(drive, 'users', 'root', '.gemini')
  mkdirSync(own, { recursive: true })
  const settings = {
    security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
    general: {
      ...{ enableAutoUpdate: false, enableAutoUpdateNotification: false },
      sessionRetention: { enabled: false },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
  }
  writeFileSync(join(own, 'settings.json'), JSON.stringify(settings))
  writeFileSync(join(own, 'trustedFolders.json'), JSON.stringify({ 'C:\\project': 'TRUST_FOLDER' }))
}

/** The files of the project without those of git's own folder, and what is in them. */
function filesOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {}
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(folder, '.git/')))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'latin1')]),
  )
}

/** Screens and settings are part of the result: a person looks at them. */
function show(title: string, text: string): void {
  process.stdout.write(`── ${title} ${'─'.repeat(Math.max(0, 76 - title.length))}\n${text.trimEnd()}\n`)
}
