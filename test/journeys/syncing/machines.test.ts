import { appendFileSync, cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { expect, test } from 'vitest'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { Chance } from '../../faults/chance.ts'
import { Backup } from '../../helpers/backup.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { CopyingService } from '../../helpers/copying-service.ts'
import { everything, inHistory } from '../../helpers/history-lab.ts'
import { runs, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { bytesAt, bytesInFolder, labAt, openMachines, say, unredacted } from '../../helpers/machines.ts'
import { carryKey, closedBytes, openedBytes } from '../../helpers/sealed.ts'
import { filesBelow, type Lab } from '../../helpers/workspace-lab.ts'
import { anyKill, killed } from '../editing/gone/life.ts'

/** What was said, in which conversation, and which conversations were deleted. */
interface Told {
  key: string
  words: string[]
  lines: string[]
  secrets: string[]
  deleted: boolean
  /** What the machines had that deleted it while others may have gone on: words and lines. The others must not go. */
  known?: Set<string>
  /** The machine that keeps it here. */
  keptBy?: number
}

/** A machine. It has two work trees; `dir` is the one in which the person is now. */
interface Machine {
  trees: Lab[]
  dir: Lab
  /** What a client has open. */
  talks: { claude: ClaudeSession; lab: Lab; one: Told }[]
  /** The person has said `sync --stop`. Choosing the place again goes on. */
  stopped: boolean
  backup?: Backup
  /** It was put back to an earlier state, and has not synced since. */
  isBehind: boolean
}

const VERBS = [
  ...['say', 'say', 'say', 'begin', 'sync', 'sync', 'write', 'title', 'tag'],
  ...[
    'delete',
    'secret',
    'secret in a document',
    'prune',
    'keep',
    'move',
    'dry-run',
    'rename folder',
    'killed sync',
    'killed change',
    'stop syncing',
    'copy a folder',
  ],
  ...['delete at once', 'delete at once', 'delete at once', 'delete at once'],
  ...['back up', 'back up', 'restore', 'restore'],
  ...['back up the place', 'restore the place', 'restore the place'],
  ...['open in a client', 'turn', 'turn', 'turn', 'stop'],
] as const

// promise: may go on with one conversation, rename, complete or tag it
test.each([
  ...['a git repository', 'one folder', 'folders that a service copies'],
  ...['a sealed repository', 'a sealed folder'],
] as Kind[])(
  'machines that talk, edit, rename, prune, redact, delete, are killed, restored and sync by %s, in any order and work tree, or at once, some with a wrong clock, have the same in the end, every word once',
  async (kind) => {
    const { numRuns, seed } = runs(kind.includes('sealed') ? 1 : 2, 200)
    for (let run = 0; run < numRuns; run += 1) {
      const chance = new Chance(seed + run)
      const steps: string[] = []
      try {
        await play(kind, chance, steps)
      } catch (cause) {
        throw new Error([`CORTEXT_SEED=${seed + run}`, (cause as Error).message, ...steps].join('\n'), {
          cause,
        })
      }
    }
  },
  4 * TIME_FOR_RUNS,
)

type Kind =
  | 'a git repository'
  | 'one folder'
  | 'folders that a service copies'
  | 'a sealed repository'
  | 'a sealed folder'

async function play(kind: Kind, chance: Chance, steps: string[]): Promise<void> {
  const { machines: labs, place, remove } = await openMachines(2 + chance.number(3))
  const backups: Backup[] = []
  const backUp = (...of: ConstructorParameters<typeof Backup>) => {
    const copy = new Backup(...of)
    backups.push(copy)
    return copy
  }
  try {
    const machines: Machine[] = []
    for (const lab of labs) {
      if (chance.percent(25)) setClock(lab, chance.of([-1, 1]) * (YEAR + chance.number(DAY)))
      lab.git('worktree', 'add', '--quiet', '../second')
      const second = labAt(lab, join(dirname(lab.root), 'second'))
      // It brings the settings there, before some steps change those of the first one for a moment.
      await second.json(['list', '--json'])
      machines.push({ trees: [lab, second], dir: lab, talks: [], stopped: false, isBehind: false })
    }
    const syncAll = async (rounds: number) => {
      for (let round = 0; round < rounds; round += 1)
        for (const machine of machines) {
          service?.settle()
          await syncOn(machine)
        }
      service?.settle()
    }
    const syncOn = async (machine: Machine) => {
      const to = ['--to', places[machines.indexOf(machine)]!, ...(isSealed ? ['--seal'] : [])]
      const done = await machine.dir.json<Synced>(['sync', ...(machine.stopped ? to : []), '--json'])
      machine.stopped = false
      machine.isBehind = false
      return done
    }
    const isSealed = kind.includes('sealed')
    const shared = join(labs[0]!.home, 'Shared')
    const service =
      kind === 'folders that a service copies'
        ? new CopyingService(labs.map((lab) => join(lab.home, 'Dropbox')))
        : undefined
    const places = labs.map((_, at) => service?.folders[at] ?? (kind.endsWith('folder') ? shared : place))
    for (const [at, { dir }] of machines.entries()) {
      const seals = isSealed ? ['--seal'] : []
      if (isSealed && at > 0) carryKey(labs[0]!, labs[at]!)
      await dir.json(['sync', '--to', places[at]!, ...seals, '--json'])
      service?.settle()
    }
    const told: Told[] = []
    let placeBackup: Backup | undefined
    for (let step = 0; step < 12 + chance.number(18); step += 1) {
      const at = chance.number(machines.length)
      const machine = machines[at]!
      const what = chance.of([
        ...VERBS,
        ...(service === undefined ? [] : (['copy', 'copy', 'copy'] as const)),
      ])
      const one = told.length === 0 ? undefined : chance.of(told)
      steps.push(`${at}: ${what} ${one?.key ?? ''}`)
      if (what === 'copy') service!.exchange(at, () => chance.percent(60))
      else if (what === 'move') machine.dir = chance.of(machine.trees)
      else if (what === 'sync') await syncOn(machine)
      else if (what === 'killed sync') await killed(machine.dir, ['sync'], anyKill(chance), machine.dir.root)
      else if (what === 'dry-run') await machine.dir.cortext(['sync', '--dry-run'])
      else if (what === 'stop syncing') {
        await machine.dir.cortext(['sync', '--stop'])
        machine.stopped = true
      } else if (what === 'back up' || what === 'restore') {
        if (machine.talks.length > 0 || told.some(({ keptBy }) => keptBy === at)) continue
        if (what === 'restore' && machine.backup === undefined) continue
        // What was never sent would be lost with it.
        const { asked } = await syncOn(machine)
        if (asked.length > 0) continue
        if (what === 'back up') machine.backup = backUp(dirname(labs[at]!.root), places)
        else {
          machine.backup!.restore()
          machine.isBehind = true
        }
      } else if (what === 'back up the place') placeBackup = service ? undefined : backUp(places[0]!)
      else if (what === 'restore the place') {
        if (machines.every(({ isBehind }) => !isBehind)) placeBackup?.restore()
      } else if (what === 'turn' || what === 'stop')
        await goOn(machine, what, `${what}${step} on ${at}`, chance)
      else if (what === 'begin' || one === undefined) {
        // Some get a folder of the same name on two machines.
        const key = chance.percent(30) ? `twin${'.'.repeat(told.length + 1)}` : `k${told.length}`
        told.push({ key, words: [`begun in ${key} of ${at}`], lines: [], secrets: [], deleted: false })
        await say(machine.dir, key, `begun in ${key} of ${at}`)
      } else if (!one.deleted) {
        const tree = chance.percent(30) ? chance.of(machine.trees) : undefined
        if (tree !== undefined) steps.push('  perhaps with a sync beside it')
        let beside: Promise<unknown> | undefined
        const syncBeside = () => {
          if (!machine.stopped) beside = tree?.json(['sync', '--json'])
        }
        await change(chance, machine, { what, one, at, step, syncAll, syncOn, syncBeside, machines })
        await beside
      }
    }
    steps.push('in the end')
    for (const one of told) await stopTalks(machines, one)
    for (const one of told) if (one.keptBy !== undefined) await release(machines, one)
    await syncAll(2)
    for (const one of told) if (one.known !== undefined) await deleteCrossed(labs, one)
    if (told.some(({ known }) => known !== undefined)) await syncAll(2)
    // A work tree has only what it went on with, and the history of a machine has all.
    const saved = labs.map(savedFiles)
    for (const [index, lab] of labs.entries()) check(lab, saved[index]!, await listed(lab), told)
    for (const files of saved) expect(files).toEqual(saved[0])
    const gone = told.flatMap(({ secrets, words, deleted }) => [...secrets, ...(deleted ? words : [])])
    for (const at of new Set(places)) {
      const bytes = isSealed
        ? await openedBytes(at, labs[0]!)
        : kind === 'a git repository'
          ? bytesAt(at)
          : bytesInFolder(at)
      for (const word of gone) expect(bytes.includes(word), `${word} at the place`).toBe(false)
      if (isSealed) for (const { words } of told) expect(closedBytes(at)).not.toContain(words[0])
    }
    for (const { dir } of machines)
      expect((await dir.json<{ sent: string[] }>(['sync', '--json'])).sent).toEqual([])
  } finally {
    for (const one of backups) one.remove()
    remove()
  }
}

interface Now {
  what: (typeof VERBS)[number]
  one: Told
  at: number
  step: number
  machines: readonly Machine[]
  syncAll: (rounds: number) => Promise<void>
  syncOn: (machine: Machine) => Promise<Synced>
  /** Begins a sync of the same machine, in some of the steps. */
  syncBeside: () => void
}

async function change(chance: Chance, { dir, trees, talks }: Machine, now: Now): Promise<void> {
  const { what, one, at, step, machines, syncAll, syncOn, syncBeside } = now
  const path = await pathOf(dir, one)
  if (path === undefined) return
  if (['say', 'title', 'tag', 'prune', 'keep', 'killed change'].includes(what)) syncBeside()
  const text = `${what}${step} on ${at} in ${one.key}`
  const run = (...args: string[]) => onIt(dir, one, args)
  if (what === 'say') {
    one.words.push(text)
    await say(dir, one.key, text)
  } else if (what === 'write') {
    // A person goes on with the document that is there. Not every work tree has a folder of the conversation.
    const folders = [dir, ...trees].flatMap(({ root }) => folderOf(root, one) ?? [])
    const folder = folders.find((each) => existsSync(join(each, 'notes.md'))) ?? folders[0]
    if (folder === undefined) return
    one.lines.push(text)
    appendFileSync(join(folder, 'notes.md'), `${text}\n\n`)
  } else if (what === 'copy a folder') {
    const folder = folderOf(dir.root, one)
    if (folder === undefined) return
    const copy = `${folder}-copy${step}`
    cpSync(folder, copy, { recursive: true })
    if (chance.percent(50)) await dir.cortext(['sync'])
    else syncBeside()
    await dir.json(['delete', relative(dir.root, copy), '--yes', '--json'])
  } else if (what === 'open in a client') {
    if (talks.some((talk) => talk.one === one)) return
    const claude = new ClaudeSession(dir)
    const resume = () => dir.cortext(['agent', 'resume', path], { env: claude.env })
    expect((await claude.command('workspace.resume', path, resume))?.code).toBe(0)
    talks.push({ claude, lab: dir, one })
  } else if (what === 'delete at once') {
    // Others may go on with it, before they hear of it or after.
    await stopTalks(machines, one)
    if (one.keptBy !== undefined) return
    if (chance.percent(70)) await syncAll(1)
    const other = chance.of(machines.filter((_, index) => index !== at))
    if ((await pathOf(other.dir, one)) !== undefined) {
      one.words.push(`${text}, before`)
      await say(other.dir, one.key, `${text}, before`)
      if (chance.percent(70)) await syncOn(other)
    }
    // No sync beside it: what that brings first would be deleted too.
    noteKnown(trees, one)
    await run('delete', '--yes')
  } else if (what === 'title') await run('edit', '--title', text)
  else if (what === 'rename folder') {
    const renamedIn = chance.percent(50) ? trees : [dir]
    for (const { root } of renamedIn) {
      const [from, to] = [join(root, path), join(root, `${path}-${step}`)]
      if (existsSync(from) && !existsSync(to)) renameSync(from, to)
    }
    if (chance.percent(50)) await dir.json(['list', '--json'])
  } else if (what === 'tag') await run('edit', '--tag', `t${step}`)
  else if (what === 'prune') await run('prune', '--keep', '1', '--yes')
  else if (what === 'secret in a document') {
    const files = (folder: string) =>
      trees.flatMap((each) =>
        Object.keys(filesBelow(join(each.root, folder)))
          .filter((name) => name.startsWith('notes'))
          .map((name) => join(each.root, folder, name)),
      )
    const [file] = files(path)
    if (file === undefined) return
    const secret = secretOf(chance)
    one.secrets.push(secret)
    appendFileSync(file, `${text} ${secret}\n\n`)
    if (chance.percent(70)) await syncAll(1 + chance.number(2))
    const now = await pathOf(dir, one)
    if (now === undefined) return
    for (const each of files(now))
      writeFileSync(each, readFileSync(each, 'utf8').replace(`${text} ${secret}\n\n`, ''))
    syncBeside()
    await run('redact', '--apply')
  } else if (what === 'killed change') {
    const args = chance.of([
      ['edit', path, '--title', text],
      ['prune', path, '--keep', '1', '--yes'],
      ['save', path],
    ])
    await killed(dir, args, anyKill(chance), dir.root)
  } else if (what === 'keep') {
    if (one.keptBy !== undefined) return
    one.keptBy = at
    await run('edit', '--keep-here')
  } else if (what === 'secret') {
    const secret = secretOf(chance)
    one.secrets.push(secret)
    one.words.push(text)
    await unredacted(dir, () => say(dir, one.key, `${text} ${secret}`))
    if (chance.percent(50)) await syncAll(1)
    // Another machine may have renamed its folder, or deleted it.
    const now = await pathOf(dir, one)
    if (now === undefined) return
    syncBeside()
    if (chance.percent(30)) await killed(dir, ['redact', now, '--apply'], anyKill(chance), dir.root)
    await run('redact', '--apply')
  } else {
    // What nobody has sent yet is asked about; here, everybody has sent before.
    await stopTalks(machines, one)
    if (one.keptBy !== undefined) await release(machines, one)
    await syncAll(2)
    const now = await pathOf(dir, one)
    if (now === undefined && one.known !== undefined) return
    if (now === undefined) throw new Error(`${one.key} is not on ${at}`)
    if (one.known === undefined) {
      one.deleted = true
      syncBeside()
    } else noteKnown(trees, one)
    await run('delete', '--yes')
  }
}

/** Notes what this machine has of a conversation that it deletes. */
function noteKnown(trees: readonly Lab[], one: Told): void {
  const files = trees.flatMap(({ root }) => Object.values(filesBelow(join(root, 'conversations'))))
  const all = everything(trees[0]!) + files.join('\n')
  const known = [...one.words, ...one.lines].filter((text) => all.includes(text))
  one.known = new Set([...(one.known ?? []), ...known])
}

/**
 * Looks for what others had said or written in a conversation that somebody has deleted, and agrees with the deletion where
 * it is still there.
 */
async function deleteCrossed(labs: readonly Lab[], one: Told): Promise<void> {
  const holders: { lab: Lab; path: string }[] = []
  for (const lab of labs) {
    const path = await pathOf(lab, one)
    if (path !== undefined) holders.push({ lab, path })
  }
  const here = holders.map(({ lab }) => everything(lab)).join()
  for (const text of [...one.words, ...one.lines])
    if (!one.known!.has(text)) expect(here, `${text}, which nobody had who deleted it`).toContain(text)
  for (const { lab, path } of holders) await lab.json(['delete', path, '--yes', '--json'])
  one.deleted = true
}

/** The person goes on with what a client has open, or stops it. */
async function goOn({ talks }: Machine, what: 'turn' | 'stop', text: string, chance: Chance): Promise<void> {
  if (talks.length === 0) return
  const talk = chance.of(talks)
  if (what === 'stop') return stopTalk(talks, talk)
  talk.one.words.push(text)
  await talk.claude.turn(text)
}

async function stopTalk(talks: Machine['talks'], talk: Machine['talks'][number]): Promise<void> {
  await talk.lab.json(['stop', '--json'], { env: talk.claude.env })
  talks.splice(talks.indexOf(talk), 1)
}

async function stopTalks(machines: readonly Machine[], one: Told): Promise<void> {
  for (const { talks } of machines)
    for (const talk of talks.filter((each) => each.one === one)) await stopTalk(talks, talk)
}

/**
 * Runs a verb on a conversation. A sync that runs beside it may rename the folder, or give its name to another one of that
 * name: then nothing is done, and a person looks where it is.
 */
async function onIt(dir: Lab, one: Told, [verb, ...args]: string[]): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      const path = await pathOf(dir, one)
      if (path === undefined && one.known !== undefined) return
      return void (await dir.json([verb!, path!, ...args, '--json']))
    } catch (error) {
      if (tries === 3 || !/"not-found"|is no longer the conversation that it was/.test(String(error)))
        throw error
    }
}

/** The folder of a conversation in a work tree, which may have another name in another one. */
function folderOf(root: string, { key }: Told): string | undefined {
  const all = join(root, 'conversations')
  const files = existsSync(all) ? Object.entries(filesBelow(all)) : []
  const isIts = ([name, text]: [string, string]) =>
    name.endsWith('/.session/session.json') && JSON.parse(text).key === key
  const file = files.find(isIts)?.[0]
  return file && join(all, dirname(dirname(file)))
}

function secretOf(chance: Chance): string {
  return `ghp_${Array.from({ length: 36 }, () => chance.of([...LETTERS])).join('')}`
}

const DAY = 86_400_000
const YEAR = 365 * DAY

/** Gives the machine a wrong clock. */
function setClock(lab: Lab, ahead: number): void {
  lab.env.CLOCK_AHEAD = String(ahead)
  const date = new Date(Date.now() + ahead).toISOString()
  Object.assign(lab.env, { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date })
}

const LETTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'

async function release(machines: readonly Machine[], one: Told): Promise<void> {
  const { dir } = machines[one.keptBy!]!
  await dir.json(['edit', (await pathOf(dir, one))!, '--no-keep-here', '--json'])
  delete one.keptBy
}

function check(
  lab: Lab,
  saved: Record<string, string>,
  list: readonly Listed[],
  told: readonly Told[],
): void {
  const all = everything(lab)
  // A journal is a copy of what the client has, which may have seen a secret before it was redacted elsewhere.
  const clean = everything(lab, { withJournals: false })
  for (const one of told) {
    for (const secret of one.secrets) expect(clean.includes(secret), `${secret} in ${one.key}`).toBe(false)
    const path = list.find(({ key }) => key === one.key)?.path
    if (one.deleted) {
      expect(path).toBeUndefined()
      for (const word of one.words)
        expect(all.includes(word), `${word} of a deleted conversation`).toBe(false)
      continue
    }
    if (path === undefined) throw new Error(`${one.key} is missing on ${lab.root}`)
    const files = Object.entries(saved).filter(([name]) => name.startsWith(`${path}/`))
    expect(saidIn(files), `${one.key} on ${lab.root}`).toEqual(one.words.toSorted())
    const notes = files.flatMap(([name, text]) => (basename(name).startsWith('notes') ? [text] : []))
    for (const line of one.lines) expect(notes.join('\n')).toContain(line)
  }
}

/** The files of all conversations in the history of a machine. */
function savedFiles(lab: Lab): Record<string, string> {
  const names = inHistory(lab, 'ls-tree', '-r', '-z', '--name-only', 'main', 'conversations')
  return Object.fromEntries(
    names
      .split('\0')
      .filter(Boolean)
      .map((name) => [name, inHistory(lab, 'show', `main:${name}`)]),
  )
}

/** What people said, in the record and in what was pruned of it. */
function saidIn(files: readonly (readonly [name: string, text: string])[]): string[] {
  return files
    .filter(([name]) => /\/\.session\/(?:messages|archive\/[^/]+)\.jsonl$/.test(name))
    .flatMap(([, text]) => text.split('\n').filter(Boolean))
    .map((line) => JSON.parse(line) as { role: string; content: string; event?: string })
    .filter(
      ({ role, event, content }) => role === 'user' && event === undefined && !/^\/workspace/.test(content),
    )
    .map(({ content }) => content.replace(/ (?:ghp_|\[REDACTED).*$/, ''))
    .toSorted()
}

interface Listed {
  path: string
  key?: string
}

async function listed(lab: Lab): Promise<Listed[]> {
  return (await lab.json<{ conversations: Listed[] }>(['list', '--all', '--json'])).conversations
}

async function pathOf(lab: Lab, { key }: Told): Promise<string | undefined> {
  return (await listed(lab)).find((one) => one.key === key)?.path
}
