import { isOrigin } from '../../session/sharing/origin.ts'
import { checkRelativePath, RECORD } from '../../store/layout.ts'
import { type Gone, goneIn } from '../../store/machine/place.ts'
import { tryParse } from '../../store/record/session-file.ts'
import { contentsOf, filesOf, type OwnFile, type OwnRepository } from '../../workspace/git/own-repository.ts'

/** What this machine, or a place, has. */
export interface Side {
  /** By origin. */
  conversations: Map<string, Sent>
  /** The files of `.workspace/` that are the person's. */
  settings: Map<string, string>
  /** All files with the ids of their contents, also those that are in no conversation. */
  files: Map<string, string>
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
  /** Its session.json. */
  session: Record<string, unknown>
  /** The ids of the contents of its files, by their paths below its folder. */
  files: Map<string, string>
}

/** Where a place keeps what is gone (`Gone`). No work tree has this file. */
export const GONE = '.workspace/gone.json'

/** Reads one of the histories in a repository. Files that no machine of ours writes are in no conversation. */
export function sideOf(repository: OwnRepository, ref?: string): Side {
  const all = filesOf(repository, [], ref) ?? []
  const files = new Map(all.map(({ path, blob }) => [path, blob]))
  const conversations = new Map<string, Sent>()
  const found = all.filter(({ path }) => path.endsWith(`/${RECORD.session}`) && isSafe(path))
  const folders = new Map<string, Sent>()
  for (const [index, bytes] of contentsOf(repository, found).entries()) {
    const session = tryParse(bytes.toString('utf8'))
    const { origin } = Object(session) as { origin?: string }
    const path = found[index]!.path.slice(0, -RECORD.session.length - 1)
    if (!isOrigin(origin) || conversations.has(origin)) continue
    const one = { path, session: session as Record<string, unknown>, files: new Map<string, string>() }
    conversations.set(origin, one)
    folders.set(path, one)
  }
  for (const { path, blob } of all) {
    const folder = foldersAbove(path).find((one) => folders.has(one))
    if (folder === undefined || !isSafe(path)) continue
    const name = path.slice(folder.length + 1)
    if (isOfConversation(name)) folders.get(folder)!.files.set(name, blob)
  }
  return { conversations, settings: settingsIn(all), files }
}

function foldersAbove(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, index) => parts.slice(0, index).join('/')).toReversed()
}

function isSafe(path: string): boolean {
  try {
    return checkRelativePath(path) === path && !/(?:^|\/)\.git/i.test(path)
  } catch {
    return false
  }
}

/** Whether a file belongs to a conversation. Of hidden files only those of a record do. */
function isOfConversation(name: string): boolean {
  const hidden = name.split('/').some((part) => part.startsWith('.'))
  return hidden ? IN_RECORD.test(name) : true
}

const IN_RECORD = /^\.session\/(?:session\.json|messages\.jsonl|(?:summaries|archive|subagents)\/[^./][^/]*)$/

function settingsIn(all: readonly OwnFile[]): Map<string, string> {
  return new Map(
    all.flatMap(({ path, blob }): [string, string][] =>
      SETTINGS.test(path) && path !== GONE && !path.endsWith('/config.json') ? [[path, blob]] : [],
    ),
  )
}

const SETTINGS = /^\.workspace\/(?:(?:commands|templates|memory|prompts)\/[^./][^/]*\.md|[^./][^/]*\.json)$/

/** What a history says of what is gone. */
export function goneOf(repository: OwnRepository, ref: string): Gone {
  const [file] = contentsOf(repository, filesOf(repository, [GONE], ref) ?? [])
  return goneIn(tryParse(file?.toString('utf8') ?? ''))
}
