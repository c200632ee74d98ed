import { execFileSync } from 'node:child_process'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Lab } from '../../helpers/workspace-lab.ts'

/** A line, and the number of the conversation that wrote it; undefined for one that was typed by hand. */
interface Known {
  text: string
  by: number | undefined
}

interface Source {
  path: string
  lines: Known[]
  /** Which conversations have seen the file as it is. */
  seen: Set<number>
  committed: Set<string>
  /** Lines that were committed once, and are not there any more. */
  gone: Set<string>
}

export interface Told {
  files: Source[]
  idOf: (conversation: number) => string
}

/**
 * Makes a repository whose files people and conversations have written together, by a seed, and the records of these
 * conversations. Several of them work between two commits; what they do is committed by hand or by their own shell
 * calls. As in Claude Code, a file that has changed is read before it is edited.
 */
export function tellHistory(
  lab: Lab,
  { seed, commits, conversations }: { seed: number; commits: number; conversations: number },
): Told {
  const random = randomFrom(seed)
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!
  const records: object[][] = Array.from({ length: conversations }, () => [])
  const files: Source[] = ['src/a.ts', 'src/b.py', 'lib/c.md'].map((path) => ({
    ...{ path, lines: [] },
    ...{ seen: new Set(), committed: new Set(), gone: new Set() },
  }))
  let clock = Date.parse('2026-01-02T10:00:00Z')
  let words = 0
  let calls = 0
  const now = () => new Date(clock).toISOString()
  const textOf = (lines: readonly Known[]) => lines.map(({ text }) => `${text}\n`).join('')
  const put = ({ path, lines }: Source) => {
    mkdirSync(dirname(join(lab.root, path)), { recursive: true })
    writeFileSync(join(lab.root, path), textOf(lines))
  }

  const say = (who: number, message: object) => {
    const seq = records[who]!.length
    records[who]!.push({
      ...{ id: `m${who}-${seq}`, content: '', timestamp: now(), seq, client: 'claude', model: 'claude-x' },
      ...message,
    })
  }
  const use = (who: number, name: string, args: object, result: string, failed = false) => {
    const id = `toolu_${who}_${++calls}`
    say(who, { role: 'assistant', content: `I use ${name}.`, tool_calls: [{ id, name, arguments: args }] })
    clock += 400
    const error = failed ? { is_error: true } : {}
    say(who, { role: 'tool', content: result, tool_call_id: id, tool_name: name, ...error })
  }

  /** A new line: of its own, one that says nothing, or one that stood there once. */
  const line = (file: Source, by: number | undefined): Known => {
    const dice = random()
    const free = [...file.gone].filter((text) => !file.lines.some((one) => one.text === text))
    if (dice < 0.1 && free.length > 0) return { text: pick(free), by }
    if (dice < 0.3) return { text: pick(['}', '', '  }', 'end', '  else {', '---']), by }
    words += 1
    return { text: `${pick(['', '  ', '    '])}const word${words} = call${words % 7}(${words * 3})`, by }
  }

  /** What becomes of a file in one step, as the lines that go and the lines that come at a place. */
  const step = (file: Source, by: number | undefined) => {
    const { lines } = file
    const at = Math.floor(random() * (lines.length + 1))
    const dice = random()
    if (lines.length > 4 && dice < 0.2)
      return { at, gone: Math.min(1 + Math.floor(random() * 3), lines.length - at), come: [] }
    if (lines.length > 2 && dice < 0.55) {
      const place = Math.min(at, lines.length - 1)
      const old = lines[place]!.text
      words += 1
      const text = /\(\d+\)$/.test(old)
        ? old.replace(/\(\d+\)$/, `(${words * 3}, ${words})`)
        : `${old} // note ${words}`
      return { at: place, gone: 1, come: [{ text, by }] }
    }
    return { at, gone: 0, come: Array.from({ length: 1 + Math.floor(random() * 6) }, () => line(file, by)) }
  }

  const act = (who: number | undefined) => {
    clock += 5000 + Math.floor(random() * 60_000)
    const file = pick(files)
    const before = file.lines
    const { at, gone, come } = step(file, who)
    const after = [...before.slice(0, at), ...come, ...before.slice(at + gone)]
    file.lines = after
    if (who === undefined) file.seen.clear()
    else tell(who, file, before, { at, gone, come, after })
    put(file)
  }

  /** The calls by which a conversation does it. */
  const tell = (
    who: number,
    file: Source,
    before: readonly Known[],
    { at, gone, come, after }: { at: number; gone: number; come: Known[]; after: Known[] },
  ) => {
    const path = join(lab.root, file.path)
    say(who, { role: 'user', content: `please change ${file.path}` })
    if (before.length > 0 && !file.seen.has(who)) {
      const numbered = before.map(({ text }, n) => `${String(n + 1).padStart(6)}\t${text}`).join('\n')
      use(who, 'Read', { file_path: path }, numbered)
    }
    file.seen = new Set([who])
    const [old, whole] = [textOf(before), textOf(after)]
    const dice = random()
    // An edit that fails writes nothing.
    if (dice < 0.1)
      use(
        who,
        'Edit',
        { file_path: path, old_string: 'no such', new_string: `${come[0]?.text} x` },
        'not found',
        true,
      )
    let [from, to] = [Math.max(0, at - 1), Math.min(before.length, at + gone + 1)]
    const text = () =>
      before
        .slice(from, to)
        .map((one) => one.text)
        .join('\n')
    const isOnce = () => text() !== '' && old.split(text()).length === 2
    while (!isOnce() && (from > 0 || to < before.length))
      [from, to] = [Math.max(0, from - 1), Math.min(before.length, to + 1)]
    const isEmptied = after.slice(from, to - gone + come.length).every((one) => one.text === '')
    if (before.length === 0 || dice > 0.85 || !isOnce() || isEmptied) {
      use(who, 'Write', { file_path: path, content: whole }, 'The file has been updated.')
      return
    }
    const [oldText, newText] = [
      text(),
      after
        .slice(from, to - gone + come.length)
        .map((one) => one.text)
        .join('\n'),
    ]
    const short = shortened(oldText, newText, old)
    // Claude Code would make something else of a text with white space at its end, and of an empty one.
    const [a, b] = dice < 0.6 && !/^$|[ \t]$/m.test(short[1]) ? short : [oldText, newText]
    if (dice > 0.7)
      use(who, 'MultiEdit', { file_path: path, edits: [{ old_string: a, new_string: b }] }, 'ok')
    else use(who, 'Edit', { file_path: path, old_string: a, new_string: b }, 'ok')
  }

  const commit = (number: number, who: number | undefined) => {
    clock += 3000
    for (const file of files) {
      const there = new Set(file.lines.map(({ text }) => text))
      const letters = (text: string) => (text.match(/[a-z]/g)?.length ?? 0) > 5
      for (const text of file.committed) if (!there.has(text) && letters(text)) file.gone.add(text)
      for (const text of there) file.committed.add(text)
    }
    if (number % 17 === 16) {
      const file = pick(files)
      const [, stem, ending] = /^(.*?)(?:-\d+)?(\.\w+)$/.exec(file.path)!
      const path = `${stem}-${number}${ending}`
      renameSync(join(lab.root, file.path), join(lab.root, path))
      file.path = path
      file.seen.clear()
    }
    const env = { ...lab.env, GIT_AUTHOR_DATE: now(), GIT_COMMITTER_DATE: now() }
    execFileSync('git', ['add', '--all', '--', 'src', 'lib'], { cwd: lab.root, env })
    const output = execFileSync('git', ['commit', '--allow-empty', '-m', `Commit ${number}`], {
      cwd: lab.root,
      env,
      encoding: 'utf8',
    })
    if (who !== undefined) use(who, 'Bash', { command: `git commit -m 'Commit ${number}'` }, output)
    clock += 2000
  }

  for (const file of files) {
    file.lines = Array.from({ length: 5 }, () => line(file, undefined))
    put(file)
  }
  commit(0, undefined)
  for (let number = 1; number <= commits; number += 1) {
    const some = () => (random() < 0.35 ? undefined : Math.floor(random() * conversations))
    for (let acts = 1 + Math.floor(random() * 4); acts > 0; acts -= 1) act(some())
    commit(number, some())
  }
  // What is not committed yet.
  for (let acts = 0; acts < 4; acts += 1) act(acts === 0 ? undefined : acts % conversations)
  const idOf = (who: number) => `${String(who + 1).padStart(3, '0')}-plan-talk-${who}`
  for (const [who, lines] of records.entries()) writeRecord(lab, idOf(who), lines)
  return { files, idOf }
}

/** Without what both begin and end with, as long as the old text stands once: then an edit begins within a line. */
export function shortened(before: string, after: string, whole: string): [string, string] {
  let [from, to] = [0, 0]
  const most = Math.min(before.length, after.length)
  while (from < most && before[from] === after[from]) from += 1
  while (to < most - from && before.at(-1 - to) === after.at(-1 - to)) to += 1
  for (; from >= 0; from -= 3, to -= 3) {
    const [a, b] = [Math.max(0, from), Math.max(0, to)]
    const old = before.slice(a, before.length - b)
    if (old !== '' && whole.split(old).length === 2) return [old, after.slice(a, after.length - b)]
  }
  return [before, after]
}

export function writeRecord(lab: Lab, id: string, lines: readonly object[], more: object = {}): void {
  const folder = join(lab.root, 'conversations/2026-01-02', id, '.session')
  const time = '2026-01-02T10:00:00Z'
  const session = {
    ...{ version: '1.0', conversation_id: id, conversation_type: 'plan', title: id, status: 'paused' },
    ...{
      created_at: time,
      last_active: time,
      message_count: lines.length,
      agent_config: { client: 'claude' },
    },
    ...more,
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session.json'), JSON.stringify(session))
  writeFileSync(join(folder, 'messages.jsonl'), lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
