import { basename, dirname } from 'node:path'
import { CortextError } from '../../errors.ts'
import { MAX_LINES, MAX_TEXT, statInside } from '../../io/inside.ts'
import { isOrigin } from '../../session/sharing/origin.ts'
import { RECORD } from '../../store/layout.ts'
import { type Gone, goneIn } from '../../store/machine/place.ts'
import { tryParse } from '../../store/record/session-file.ts'
import {
  contentsOf,
  eachContent,
  filesOf,
  type ListedFile,
  type OwnRepository,
} from '../../workspace/git/own-repository.ts'
import type { Unread } from '../../workspace/places/place.ts'
import { foldersAbove, isSafe, twinsAmong, whyNoName } from './names.ts'

/** What this machine, or a place, has. */
export interface Side {
  /** By origin. */
  conversations: Map<string, Sent>
  /** The files of `.workspace/` that are the person's. */
  settings: Map<string, string>
  /** All files with the ids of their contents, also those that are in no conversation. */
  files: Map<string, string>
  /** The commit that was read. */
  commit?: string | undefined
  /** Files that are left out because of their names or sizes, with the reason. */
  unread: Unread[]
  /** Conversations, by origin, of which no file can have its name here. */
  unnamed: Map<string, Sent>
}

/** What this machine has, what the place has, and what both had when they were joined last. */
export interface Sides {
  base: Side
  ours: Side
  theirs: Side
}

/** A conversation in a history. */
export interface Sent {
  path: string
  session: Facts
  /** The ids of the contents of its files, by their paths below its folder. */
  files: Map<string, string>
  /** The size of its files together. */
  bytes: number
}

/** What a sync needs of a session.json. A stranger's may have megabytes. */
type Facts = Readonly<Record<(typeof FACTS)[number], unknown>>
const FACTS = ['version', 'origin', 'created_at', 'keep_here', 'key'] as const

/** Where a place keeps what is gone (`Gone`). No work tree has this file. */
export const GONE = '.workspace/gone.json'

/**
 * Reads one of the histories in a repository. Files that no machine of ours writes are in no conversation. Of two folders
 * with one origin the one counts that is in `known`, or else has the shorter path: the other is a copy, or a stranger's.
 * Throws `refused` for what is too large, and git's errors.
 */
export function sideOf(repository: OwnRepository, ref?: string, known?: Side): Side {
  const all = filesOf(repository, 'all', ref) ?? []
  const unread: Unread[] = []
  const paths = foldsCase(repository) ? all.map(({ path }) => path) : []
  const twins = twinsAmong(paths, (path) => known?.files.has(path) === true)
  const whyNotNamed = ({ path }: ListedFile) => (twins.has(path) ? ONLY_CASE : whyNoName(path))
  const safe = all.filter(({ path }) => isSafe(path))
  const good = safe.filter((file) => {
    const problem = whyNotNamed(file) ?? whyTooLarge(file)
    if (problem !== undefined) unread.push({ file: file.path, problem })
    return problem === undefined
  })
  const sessions = safe.filter((file) => isSession(file) && !whyTooLarge(file))
  const facts = factsOf(repository, sessions)
  const conversations = new Map<string, Sent>()
  const unnamed = new Map<string, Sent>()
  for (const file of sessions) {
    const session = facts.get(file.blob)
    if (session === undefined) continue
    const [path, origin] = [file.path.slice(0, -RECORD.session.length - 1), String(session.origin)]
    const some = whyNotNamed(file) === undefined ? conversations : unnamed
    const isKnown = (one: string) => known?.conversations.get(origin)?.path === one
    const other = some.get(origin)?.path
    if (other !== undefined && !isKnown(path) && (isKnown(other) || other.length <= path.length)) continue
    some.set(origin, { path, session, files: new Map(), bytes: 0 })
  }
  for (const origin of conversations.keys()) unnamed.delete(origin)
  const folders = new Map([...conversations.values(), ...unnamed.values()].map((one) => [one.path, one]))
  const readable = new Set(good)
  for (const file of safe) {
    const { path, blob, size } = file
    const folder = foldersAbove(path).find((one) => folders.has(one))
    const name = path.slice((folder ?? '').length + 1)
    if (folder === undefined || !isOfConversation(name)) continue
    const one = folders.get(folder)!
    if (!readable.has(file) && one === conversations.get(String(one.session.origin))) continue
    one.files.set(name, blob)
    one.bytes += size
  }
  const files = new Map(all.map(({ path, blob }) => [path, blob]))
  return { conversations, settings: settingsIn(good), files, unread, unnamed }
}

/** Whether a disk does not tell upper and lower case apart, as on macOS and Windows. */
function foldsCase({ root }: OwnRepository): boolean {
  return statInside(dirname(root), basename(root).toUpperCase()) !== undefined
}

const ONLY_CASE = 'this disk does not tell its name from that of another file; rename it on the other machine'

function isSession({ path }: ListedFile): boolean {
  return path.endsWith(`/${RECORD.session}`)
}

function whyTooLarge(file: ListedFile): string | undefined {
  const most = isSession(file) ? MOST_OF_SESSION : SETTINGS.test(file.path) ? MAX_TEXT : MAX_LINES
  return file.size > most ? tooLarge(file.size, most) : undefined
}

/** The most bytes of a session.json. With hundreds of segments it has some hundred thousand. */
const MOST_OF_SESSION = 4 * 1024 * 1024

export function tooLarge(bytes: number, most: number): string {
  const mb = (count: number) => `${Math.ceil(count / 1024 / 1024)} MB`
  return `it has ${mb(bytes)}, and at most ${mb(most)} are read`
}

/** The facts in these files, by the ids of their contents; nothing for a file that has no origin. */
function factsOf(repository: OwnRepository, files: readonly ListedFile[]): Map<string, Facts> {
  const distinct = [...new Map(files.map((file) => [file.blob, file])).values()]
  const bytes = distinct.reduce((sum, { size }) => sum + size, 0)
  if (bytes > MAX_LINES)
    throw new CortextError(
      'refused',
      `the session.json of all conversations: ${tooLarge(bytes, MAX_LINES)}`,
      {
        fix: 'see who writes at the place; or name another one: cortext sync --to <place>',
      },
    )
  const facts = new Map<string, Facts>()
  for (const [{ blob }, content] of eachContent(repository, distinct)) {
    const session = Object(tryParse(content.toString('utf8'))) as Record<string, unknown>
    const { origin } = session
    if (typeof origin !== 'string' || !isOrigin(origin)) continue
    const some = FACTS.flatMap((name) => (isShort(session[name]) ? [[name, session[name]]] : []))
    facts.set(blob, Object.fromEntries(some))
  }
  return facts
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' ? value.length <= LONGEST_FACT : typeof value !== 'object'
}

const LONGEST_FACT = 1000

/** Whether a file belongs to a conversation. Of hidden files only those of a record do. */
function isOfConversation(name: string): boolean {
  const hidden = name.split('/').some((part) => part.startsWith('.'))
  return hidden ? IN_RECORD.test(name) : true
}

const IN_RECORD = /^\.session\/(?:session\.json|messages\.jsonl|(?:summaries|archive|subagents)\/[^./][^/]*)$/

function settingsIn(good: readonly ListedFile[]): Map<string, string> {
  const settings = good.filter(({ path }) => SETTINGS.test(path) && !OWN_SETTINGS.test(path))
  return new Map(settings.map(({ path, blob }) => [path, blob]))
}

const SETTINGS = /^\.workspace\/(?:(?:commands|templates|memory|prompts)\/[^./][^/]*\.md|[\w-][\w.-]*\.json)$/
/** Those of one machine, and of a place. Some systems take `Config.json` for the same file. */
const OWN_SETTINGS = /^\.workspace\/(?:config|gone)\.json$/i

/** What a history says of what is gone. Throws `refused` if it is too large. */
export function goneOf(repository: OwnRepository, ref: string): Gone {
  const files = filesOf(repository, [GONE], ref) ?? []
  const [{ size } = { size: 0 }] = files
  if (size > MAX_TEXT)
    throw new CortextError('refused', `${GONE} at the place: ${tooLarge(size, MAX_TEXT)}`, {
      fix: 'see who writes at the place; or name another one: cortext sync --to <place>',
    })
  const [bytes] = contentsOf(repository, files)
  return goneIn(tryParse(bytes?.toString('utf8') ?? ''))
}
