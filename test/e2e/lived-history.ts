import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { randomFrom, shortened } from '../extras/why/told-history.ts'
import { typedText } from './model-request.ts'
import { bash, type Reply, read, tool } from './reply.ts'
import type { WorkspaceLab } from './workspace-lab.ts'

/** A line, and the number of the conversation whose tool wrote it; undefined for a person's, and for what a command wrote. */
interface Known {
  text: string
  by: number | undefined
  /** The conversation that wrote it before it was taken away and brought back by git. */
  back?: number
}

interface Source {
  path: string
  lines: Known[]
  /** Which conversations have seen the file as it is. */
  seen: Set<number>
  /** As the last commit has it. */
  saved: Known[]
}

export interface Lived {
  files: readonly { path: string; lines: readonly Known[] }[]
  idOf: (conversation: number) => string
  /** Which conversation made a commit with its own shell; undefined for a person. */
  madeBy: ReadonlyMap<string, number | undefined>
  /** How often each kind of thing has happened. */
  happened: ReadonlyMap<string, number>
}

interface Size {
  seed: number
  commits: number
  conversations: number
  /** How often conversations are opened, all together. */
  rounds: number
}

/** How many calls of tools a conversation makes at least each time that it is opened. */
const MIN_CALLS = 10

/**
 * Makes a repository that a person and conversations of Claude Code have written together, by a seed. The client edits,
 * runs commands and commits by its own tools, as a fake model tells it. Meanwhile the person types, commits, moves files,
 * formats, brings back what was taken away, and merges. Every step is compared with the files on the disk.
 */
export async function liveHistory(
  lab: WorkspaceLab,
  { seed, commits, conversations, rounds }: Size,
): Promise<Lived> {
  const random = randomFrom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const pick = <T>(of: readonly T[]): T => of[below(of.length)]!
  const happened = new Map<string, number>()
  const count = (what: string) => happened.set(what, (happened.get(what) ?? 0) + 1)
  const madeBy = new Map<string, number | undefined>()
  const gone: string[] = []
  /** Which conversation wrote a line first. */
  const wrote = new Map<string, number>()
  const broken: Error[] = []
  let words = 0
  let onSide = false
  const files: Source[] = ['src/a.ts', 'src/b.py', 'lib/c.md', 'lib/deep/d.ts'].map((path) => ({
    ...{ path, lines: [], saved: [], seen: new Set() },
  }))

  const textOf = (lines: readonly Known[]) => lines.map(({ text }) => `${text}\n`).join('')
  const pathOf = ({ path }: Source) => join(lab.project, path)
  const put = (file: Source) => {
    mkdirSync(dirname(pathOf(file)), { recursive: true })
    writeFileSync(pathOf(file), textOf(file.lines))
    file.seen.clear()
  }
  const compare = (when: string) => {
    for (const file of files) {
      const there = readFileSync(pathOf(file), 'utf8')
      if (there !== textOf(file.lines))
        throw new Error(`${when}: ${file.path} is not as expected:\n${there}\nbut\n${textOf(file.lines)}`)
    }
  }
  const isSaved = () => files.every(({ lines, saved }) => textOf(lines) === textOf(saved))

  /** A new line: of its own, one that says nothing, one that stood there once, or one of another file. */
  const line = (file: Source, by: number | undefined): Known => {
    const dice = random()
    const others = files.filter((one) => one !== file).flatMap(({ lines }) => lines)
    const free = [...gone, ...others.map(({ text }) => text)].filter(
      (text) => /word/.test(text) && !file.lines.some((one) => one.text === text),
    )
    if (dice < 0.12 && free.length > 0) {
      const text = pick(free)
      const first = wrote.get(text)
      if (by !== undefined && first !== undefined && first !== by)
        count('a line that two conversations wrote')
      else count('a line written again')
      return { text, by }
    }
    if (dice < 0.2) return { text: pick(['}', '', '  }', 'end', '---']), by }
    words += 1
    const text = `${pick(['', '  ', '    '])}const word${words} = call${words % 7}(${words * 3})`
    if (by !== undefined) wrote.set(text, by)
    return { text, by }
  }

  /** What a writer makes of a file: the lines that go, and the lines that come at a place. */
  const change = (file: Source, by: number | undefined) => {
    const { lines } = file
    // On a side branch the upper half stays as it is: the person writes there meanwhile.
    const first = onSide ? Math.ceil(lines.length / 2) : 0
    const at = first + below(lines.length - first + 1)
    const dice = random()
    if (lines.length > 8 && dice < 0.2)
      return { at, gone: Math.min(1 + below(3), lines.length - at), come: [] as Known[] }
    if (at < lines.length && dice < 0.5) {
      words += 1
      const old = lines[at]!.text
      const text = /\(\d+\)$/.test(old)
        ? old.replace(/\(\d+\)$/, `(${words * 3}, ${words})`)
        : `${old} // note ${words}`
      return { at, gone: 1, come: [{ text, by }] }
    }
    return { at, gone: 0, come: Array.from({ length: 1 + below(6) }, () => line(file, by)) }
  }

  const become = (file: Source, lines: Known[]) => {
    for (const { text } of file.lines)
      if (/word/.test(text) && !lines.some((one) => one.text === text)) gone.push(text)
    file.lines = lines
  }

  const typeByHand = () => {
    const file = pick(files)
    const { at, gone, come } = change(file, undefined)
    become(file, [...file.lines.slice(0, at), ...come, ...file.lines.slice(at + gone)])
    put(file)
    count('typed by hand')
  }

  /** The person's editor indents a file anew. */
  const format = () => {
    const file = pick(files)
    const [from, to] = onSide ? [Math.ceil(file.lines.length / 2), file.lines.length] : [0, file.lines.length]
    become(
      file,
      file.lines.map((one, at) =>
        at < from || at >= to || !one.text.startsWith('  ')
          ? one
          : { text: one.text.replace(/^ +/, (space) => (space.length > 3 ? '  ' : '\t')), by: undefined },
      ),
    )
    put(file)
    count('formatted by hand')
  }

  const noteCommit = (who?: number) => {
    madeBy.set(lab.git('rev-parse', 'HEAD'), who)
    for (const file of files) file.saved = file.lines
    count(who === undefined ? 'committed by hand' : 'committed by a conversation')
  }

  const commitByHand = () => {
    // What is typed by hand may be nothing.
    while (isSaved()) typeByHand()
    lab.git('add', '--all', '--', 'src', 'lib')
    lab.git('commit', '--quiet', '--message', `Commit ${madeBy.size}`)
    noteCommit()
  }

  const rename = () => {
    const file = pick(files)
    const [, folder, stem, ending] = /^(.*)\/(\w+?)(?:-\d+)?(\.\w+)$/.exec(file.path)!
    const path = `${random() < 0.5 ? folder : pick(['src', 'lib', 'lib/deep'])}/${stem}-${madeBy.size}${ending}`
    return { file, path }
  }

  const moveByHand = () => {
    const { file, path } = rename()
    mkdirSync(dirname(join(lab.project, path)), { recursive: true })
    renameSync(pathOf(file), join(lab.project, path))
    file.path = path
    file.seen.clear()
    count('moved by hand')
    lab.git('add', '--all', '--', 'src', 'lib')
    lab.git('commit', '--quiet', '--message', `Move ${madeBy.size}`)
    noteCommit()
  }

  /** Git brings back what the last commit has taken away; nobody has written it anew. */
  const revert = () => {
    commitByHand()
    const before = files.map(({ lines }) => lines)
    typeByHand()
    typeByHand()
    commitByHand()
    lab.git('revert', '--no-edit', 'HEAD')
    for (const [at, file] of files.entries()) {
      const there = new Set(file.lines)
      become(
        file,
        before[at]!.map((one) =>
          there.has(one)
            ? one
            : { text: one.text, by: undefined, ...(one.by === undefined ? {} : { back: one.by }) },
        ),
      )
      file.seen.clear()
    }
    compare('after a revert')
    count('reverted')
    noteCommit()
  }

  /** What is not committed of a file is thrown away. */
  const discard = () => {
    const file = files.find(({ lines, saved }) => lines !== saved)
    if (file === undefined) return
    lab.git('checkout', '--quiet', 'HEAD', '--', file.path)
    become(file, file.saved)
    file.seen.clear()
    count('thrown away')
  }

  /** The person writes at the top of a file on the main branch, while the lower half has changed on the side branch. */
  const merge = (forked: readonly Known[][]) => {
    if (!isSaved()) commitByHand()
    const [file, at] = [files[0]!, 0]
    const side = files.map(({ lines }) => lines)
    lab.git('checkout', '--quiet', 'main')
    for (const [at, one] of files.entries()) one.lines = forked[at]!
    const come = [line(file, undefined), line(file, undefined)]
    file.lines = [...come, ...file.lines]
    put(file)
    onSide = false
    lab.git('add', '--all', '--', 'src', 'lib')
    lab.git('commit', '--quiet', '--message', `Beside ${madeBy.size}`)
    noteCommit()
    lab.git('merge', '--quiet', '--no-ff', '--message', `Merge ${madeBy.size}`, 'side')
    lab.git('branch', '--quiet', '--delete', 'side')
    for (const [at, one] of files.entries()) {
      one.lines = side[at]!
      one.seen.clear()
    }
    file.lines = [...come, ...side[at]!]
    compare('after a merge')
    count('merged')
    noteCommit()
  }

  /** The tool call by which a conversation changes a file; it looks at it first where it has to. */
  const edit = (who: number): Reply => {
    const file = pick(files)
    if (!file.seen.has(who)) {
      file.seen.add(who)
      return read(pathOf(file))
    }
    const before = file.lines
    const { at, gone, come } = change(file, who)
    const after = [...before.slice(0, at), ...come, ...before.slice(at + gone)]
    const old = textOf(before)
    file.seen = new Set([who])
    let [from, to] = [Math.max(0, at - 1), Math.min(before.length, at + gone + 1)]
    const text = () =>
      before
        .slice(from, to)
        .map((one) => one.text)
        .join('\n')
    const isOnce = () => text().trim() !== '' && old.split(text()).length === 2
    while (!isOnce() && (from > 0 || to < before.length))
      [from, to] = [Math.max(0, from - 1), Math.min(before.length, to + 1)]
    const fresh = after
      .slice(from, to - gone + come.length)
      .map((one) => one.text)
      .join('\n')
    if (random() > 0.85 || !isOnce() || fresh === '') {
      become(file, after)
      count('Write')
      return tool('Write', { file_path: pathOf(file), content: textOf(after) })
    }
    const short = shortened(text(), fresh, old)
    const endsOpen = short[1] === '' && old.endsWith(`${short[0]}\n`)
    const [old_string, new_string] = random() < 0.6 && !endsOpen ? short : [text(), fresh]
    become(file, behindEdit(file, { old, old_string, new_string, after }, who))
    count('Edit')
    return tool('Edit', { file_path: pathOf(file), old_string, new_string })
  }

  /** A command changes a line, which no tool call tells. */
  const sed = (): Reply => {
    const places = files.flatMap((file) =>
      file.lines.flatMap(({ text }, at) => {
        const [word] = /\bword\d+\b/.exec(text) ?? []
        const isOnce = textOf(file.lines).split(`${word} `).length === 2
        const isHere = !onSide || at >= file.lines.length / 2
        return word === undefined || !isOnce || !isHere ? [] : [{ file, at, word }]
      }),
    )
    const { file, at, word } = pick(places)
    words += 1
    become(
      file,
      file.lines.map((one, n) =>
        n === at ? { text: one.text.replace(word, `word${words}`), by: undefined } : one,
      ),
    )
    file.seen.clear()
    count('sed')
    return bash(`sed -i 's/\\b${word} /word${words} /' ${file.path}`)
  }

  /** What the model says next to a conversation. What its last call did is looked at first. */
  let steps = 0
  let upTo = 0
  let committing: number | undefined
  let last = ''
  const next = (who: number): Reply => {
    if (committing !== undefined) noteCommit(who)
    committing = undefined
    compare(`conversation ${who}, after ${last}`)
    steps += 1
    if (steps > MIN_CALLS && (madeBy.size >= upTo || steps > 4 * MIN_CALLS)) return 'That is it.'
    const mayCommit = madeBy.size < upTo
    if (random() < 0.2) typeByHand()
    if (random() < 0.05) format()
    if (random() < 0.05) discard()
    const dice = mayCommit ? random() : 1
    if (dice < 0.15) commitByHand()
    else if (dice < 0.18 && !onSide) moveByHand()
    else if (dice < 0.2 && !onSide) revert()
    const deed = random()
    if (deed < 0.1) return sed()
    if (deed < 0.25 && mayCommit && !isSaved()) {
      committing = who
      return bash(`git add --all -- src lib && git commit --message 'Commit ${madeBy.size}'`)
    }
    if (deed < 0.28 && mayCommit && !onSide && isSaved()) {
      const { file, path } = rename()
      const from = file.path
      file.path = path
      file.seen.clear()
      committing = who
      count('moved by a conversation')
      return bash(
        `mkdir -p ${dirname(path)} && git mv ${from} ${path} && git commit --message 'Move ${madeBy.size}'`,
      )
    }
    return edit(who)
  }
  lab.model.script((request) => {
    const [, who] = /work of number (\d+)/.exec(typedText(request)) ?? []
    if (who === undefined) return undefined
    try {
      if (broken.length > 0) return 'It is broken.'
      const reply = next(Number(who))
      last = JSON.stringify(reply)
      return reply
    } catch (error) {
      broken.push(error as Error)
      return 'It is broken.'
    }
  })

  const ids = new Map<number, string>()
  const sessions = Array.from({ length: conversations }, () => randomUUID())
  const work = async (who: number) => {
    steps = 0
    const known = new Set(lab.conversations())
    const isNew = !ids.has(who)
    const args = isNew
      ? ['--session-id', sessions[who]!, '--', `/workspace.brainstorm work of number ${who}`]
      : ['--resume', sessions[who]!, '--', `work of number ${who}`]
    const done = await lab.headless(['--allowedTools=Bash,Read,Edit,Write', ...args], { timeout: 240_000 })
    if (broken.length > 0) throw broken[0]!
    if (done.code !== 0) throw new Error(`Claude Code ended with ${done.code}: ${done.stdout}${done.stderr}`)
    if (isNew) ids.set(who, lab.conversations().find((path) => !known.has(path))!)
    count('rounds')
  }

  for (const file of files) {
    file.lines = Array.from({ length: 8 }, () => line(file, undefined))
    put(file)
  }
  commitByHand()
  for (let round = 0; round < rounds; round += 1) {
    upTo = Math.floor(((round + 1) * (commits - 4)) / rounds)
    // Each conversation works once before any goes on.
    const who = round < conversations ? round : below(conversations)
    if (round % 6 === 4) {
      if (!isSaved()) commitByHand()
      const forked = files.map(({ lines }) => lines)
      lab.git('checkout', '--quiet', '-b', 'side')
      onSide = true
      await work(who)
      merge(forked)
    } else await work(who)
    if (round === 1) revert()
  }
  while (madeBy.size < commits) commitByHand()
  // What is not committed yet.
  typeByHand()
  return {
    files,
    madeBy,
    happened,
    idOf: (who) => ids.get(who)!.split('/').at(-1)!,
  }
}

/**
 * The lines of a file behind an edit of Claude Code (docs/clients/claude-code.md): it takes the white space from the ends
 * of the lines that it puts in, unless the file is Markdown, and the line break behind a text that it takes away. A line
 * that becomes another one by that is the edit's own.
 */
function behindEdit(
  { path }: Source,
  edit: { old: string; old_string: string; new_string: string; after: Known[] },
  by: number,
): Known[] {
  const put = path.endsWith('.md') ? edit.new_string : edit.new_string.replace(/[ \t]+$/gm, '')
  const whole = `${edit.old_string}\n`
  const takesBreak = put === '' && !edit.old_string.endsWith('\n') && edit.old.includes(whole)
  const text = edit.old.replace(takesBreak ? whole : edit.old_string, () => put)
  const lines = text.split('\n').slice(0, -1)
  const { after } = edit
  let [from, to] = [0, 0]
  const most = Math.min(lines.length, after.length)
  while (from < most && lines[from] === after[from]!.text) from += 1
  while (to < most - from && lines.at(-1 - to) === after.at(-1 - to)!.text) to += 1
  const own = lines.slice(from, lines.length - to).map((text) => ({ text, by }))
  return [...after.slice(0, from), ...own, ...after.slice(after.length - to)]
}
