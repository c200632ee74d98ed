import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { cellsOf } from '../../src/text/cells.ts'
import { LONG } from '../helpers/long.ts'
import { tool } from './reply.ts'
import { openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

/** Yesterday, so that nothing is too old for a list. */
const DAY = new Date(Date.now() - 24 * 3600_000).toISOString().slice(0, 10)

const LONG_TITLE =
  'Which of the fields in the public interface are theirs, how do we tell the three teams that call us, and who decides'
const TITLES = [
  LONG_TITLE,
  '数据库设计讨论：是否使用发件箱表来保证顺序，还是让每个服务自己重试并且记录偏移量',
  '🚀🚀 Why is the release slow? 👩‍👩‍👧‍👦🇩🇪',
  'Hostile \u001b[2J\u001b]0;owned\u0007 \u202etxt.exe\u202c\r\nfix: rm -rf ~ \u009b31m',
  'Short',
]

/** What a person runs, and what of it has to be whole because it is pasted or typed. */
const SCREENS: Record<string, { command: string; whole?: RegExp[] }> = {
  list: { command: 'cortext list' },
  'list --long': { command: 'cortext list --long', whole: [/\b005-plan-talk-4\b/] },
  'list --everywhere --long': { command: 'cortext list --everywhere --long', whole: [/\b005-plan-talk-4\b/] },
  search: { command: 'cortext search limit', whole: [/^ *→ cortext show \S+ --at \S+$/m] },
  show: { command: 'cortext show 004', whole: [/conversations\/[\d-]+\/004-plan-talk-3/] },
  'show --at': { command: 'cortext show 004 --at 1', whole: [/^── 1 · user [\s\S]*?·\s+here$/m] },
  init: { command: 'cortext init', whole: [/cortext init --private/] },
  'init elsewhere': { command: 'cortext init ../other', whole: [/committed\s+to\s+no\s+repository/] },
  doctor: { command: 'cortext doctor' },
  stats: { command: 'cortext stats' },
  'why line': { command: 'cortext why limits.ts:2', whole: [/→ cortext show \S+ --at \S+$/m] },
  'why file': { command: 'cortext why limits.ts', whole: [/→ cortext show \S+ --at \S+$/m] },
  'why nothing': { command: 'cortext why limit.ts:3', whole: [/^fix: cortext why limits\.ts:3$/m] },
  log: { command: 'cortext log limits' },
  resume: { command: 'cortext resume 004 --dry-run' },
  help: { command: 'cortext --help' },
  'help of a verb': { command: 'cortext export --help' },
  'no verb': { command: 'cortext lits', whole: [/^fix: cortext list --help$/m] },
  'wrong option': { command: 'cortext list --since soon', whole: [/^fix: --since \S+$/m] },
  'near verb': { command: 'cortext lst', whole: [/^fix: cortext list --help$/m] },
  'not found': { command: 'cortext show 999', whole: [/^fix: cortext list --all$/m] },
  uninstall: { command: 'cortext uninstall' },
}

it.each(LONG ? [60, 80, 120, 200] : [80, 200])('every screen is read in %i columns', async (cols) => {
  await using lab = await talkedWorkspace()
  const lines = Object.entries(SCREENS).flatMap(([name, { command }]) => [`echo '=== ${name}'`, command])
  const script = join(lab.folder, 'screens.sh')
  writeFileSync(script, [...lines, "echo '=== end'"].join('\n'))
  const terminal = lab.terminal(['sh', script], { cols, rows: 50 })
  await terminal.waitForExit({ timeout: 120_000 })
  const told = screensIn(terminal.joined())
  if (process.env.CORTEXT_SCREENS)
    writeFileSync(`${process.env.CORTEXT_SCREENS}-${cols}.txt`, terminal.history())

  const wide: string[] = []
  for (const [name, { whole = [] }] of Object.entries(SCREENS)) {
    const text = told.get(name) ?? ''
    expect(text.trim(), name).not.toBe('')
    expect(text, name).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    for (const pattern of whole) expect(text, name).toMatch(pattern)
    for (const line of text.split('\n'))
      if (cellsOf(line) > cols && !isToPaste(line)) wide.push(`${name}: ${line}`)
  }
  expect(wide).toEqual([])
})

/**
 * What is broken by hand cannot be pasted, so the terminal breaks it: a command on a line of its own, or behind an arrow or
 * `fix:`, and a path that is wider than the room for it, with nothing behind it.
 */
function isToPaste(line: string): boolean {
  return /^ *(?:→ |fix: )?(?:cortext|git|claude) |^ *(?:\S+ {2,})?\S*\/\S*$/.test(line)
}

/** What each command printed, with the lines that the terminal has wrapped in one. */
function screensIn(history: string): Map<string, string> {
  const parts = history.split(/^=== (.*?) *$/m).slice(1)
  return new Map(parts.flatMap((name, at) => (at % 2 === 0 ? [[name, parts[at + 1]!] as const] : [])))
}

/** Conversations under all kinds of titles, and one of the real client that wrote a file. */
async function talkedWorkspace(): Promise<WorkspaceLab> {
  const lab = await openWorkspaceLab()
  mkdirSync(join(lab.folder, 'other'))
  for (const [at, title] of TITLES.entries()) putRecord(lab, at, title)
  const file = join(lab.project, 'limits.ts')
  const write = tool('Write', {
    file_path: file,
    content: 'export const lower = 1\nexport const limit = 9\n',
  })
  lab.model.when('Topic:', write, 'The limit is written.')
  await lab.headless(['--allowedTools=Write', '--', '/workspace.brainstorm limits of the upload'])
  lab.git('add', 'limits.ts', 'conversations')
  lab.git(
    'commit',
    '--quiet',
    '--message',
    'The limits, which a conversation has written for all that upload',
  )
  return lab
}

function putRecord({ project }: WorkspaceLab, at: number, title: string): void {
  const id = `${String(at + 1).padStart(3, '0')}-plan-talk-${at}`
  const folder = join(project, 'conversations', DAY, id, '.session')
  mkdirSync(folder, { recursive: true })
  const time = `${DAY}T1${at}:00:00Z`
  const session = {
    ...{ version: '1.0', conversation_id: id, conversation_type: 'plan', title, status: 'paused' },
    ...{ created_at: time, last_active: time, message_count: 2, tags: ['api', title] },
    ...{ agent_config: { client: 'claude' }, context_summary: `${title} ${LONG_TITLE}` },
  }
  const said = [
    { id: `u${at}`, role: 'user', content: `${title}: what limit?`, timestamp: time, author: title },
    {
      id: `a${at}`,
      role: 'assistant',
      content: `The limit is ${at}. ${title}`,
      timestamp: time,
      client: 'claude',
    },
  ]
  writeFileSync(join(folder, 'session.json'), JSON.stringify(session))
  writeFileSync(join(folder, 'messages.jsonl'), said.map((one) => `${JSON.stringify(one)}\n`).join(''))
}
