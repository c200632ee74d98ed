import { callKey } from '../../session/live-path.ts'
import type { Message, ToolCall } from '../../session/schema.ts'
import {
  type CalledBy,
  commandOf,
  patchOf,
  pathOf,
  type ToolVocabulary,
  useOf,
} from '../../session/tool-use.ts'
import { isAbsolute, plainPath } from '../../text/project-path.ts'
import type { History } from '../strategy.ts'
import { shellFiles } from './shell-files.ts'

export interface FileChange {
  path: string
  /** `written`: nobody knows whether the file existed before. */
  action: 'created' | 'modified' | 'written' | 'deleted'
}

/**
 * Returns the files that tool calls changed, each with the last action on it. The file that was changed last is at the
 * end. The only shell commands that count are plain removals, patches and here-documents. Failed calls do not count.
 */
export function filesChanged({
  live,
  answers: { results, tools },
}: Pick<History, 'live' | 'answers'>): FileChange[] {
  const seen = new Set<string>()
  const knownAs = filesByTwoPaths()
  const changed = new Map<string, FileChange['action']>()
  for (const message of live)
    for (const call of message.tool_calls ?? []) {
      const { client } = message
      const result = results.get(callKey(message, call.id))
      if (result?.is_error === true) continue
      for (const change of changesOf(tools, call, client, { seen, result })) {
        const { action } = change
        const path = knownAs(change.path)
        const before = changed.get(path)
        changed.delete(path)
        changed.set(path, isNew(before) && action !== 'deleted' ? before : action)
        seen.add(plainPath(path))
      }
      const named = pathOf(tools, call, client)
      if (named !== undefined) seen.add(plainPath(named))
    }
  return [...changed].map(([path, action]) => ({ path, action }))
}

/** A file that was created in this conversation and modified later still counts as created. */
function isNew(before: FileChange['action'] | undefined): before is 'created' | 'written' {
  return before === 'created' || before === 'written'
}

/**
 * Returns a function that gives one path for each file: the first path by which a call named the file. An absolute path
 * and a relative path count as one file if the absolute path ends with the relative one. The relative path must name a
 * folder too: `README.md` alone may be in any folder.
 */
function filesByTwoPaths(): (path: string) => string {
  const byName = new Map<string, { path: string; plain: string }[]>()
  return (path) => {
    const plain = plainPath(path)
    const name = plain.split('/').at(-1)!
    const named = byName.get(name) ?? []
    const known = named.find(
      (one) => one.plain === plain || endsIn(one.plain, plain) || endsIn(plain, one.plain),
    )
    if (known !== undefined) return known.path
    // The limit keeps this search quick in a forged record with very many files of one name.
    if (named.length < MAX_OF_ONE_NAME) byName.set(name, [...named, { path, plain }])
    return path
  }
}

const MAX_OF_ONE_NAME = 50

function endsIn(long: string, short: string): boolean {
  return isAbsolute(long) && !isAbsolute(short) && short.includes('/') && long.endsWith(`/${short}`)
}

function changesOf(
  tools: ToolVocabulary,
  call: ToolCall,
  client: CalledBy,
  { seen, result }: { seen: ReadonlySet<string>; result: Message | undefined },
): FileChange[] {
  const patch = patchOf(tools, call, client)
  if (patch !== undefined) return patched(patch)
  const command = commandOf(tools, call, client)
  if (command !== undefined)
    return shellFiles(command, call.arguments).map(({ path, isRemoved }) => ({
      path,
      action: isRemoved ? 'deleted' : seen.has(plainPath(path)) ? 'modified' : 'written',
    }))
  const path = pathOf(tools, call, client)
  if (path === undefined) return []
  const use = useOf(tools, call.name, client)
  if (use.removes !== undefined) return [{ path, action: 'deleted' }]
  if (use.writes !== undefined)
    return [{ path, action: seen.has(plainPath(path)) || saysUpdated(result) ? 'modified' : 'created' }]
  return use.edits === undefined ? [] : [{ path, action: 'modified' }]
}

/**
 * Whether the result says that the written file existed before. Claude Code says `The file … has been updated`, and
 * Gemini CLI `Successfully overwrote`.
 */
function saysUpdated(result: Message | undefined): boolean {
  return (
    typeof result?.content === 'string' && /\b(?:updated|overwr[io]t\w+|modified)\b/i.test(result.content)
  )
}

const ACTIONS = { Add: 'created', Update: 'modified', Delete: 'deleted' } as const

/** Reads the files that a patch changes from lines such as `*** Add File: src/a.ts`. */
function patched(patch: string): FileChange[] {
  return [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb, path]) => ({
    path: path!.trim(),
    action: ACTIONS[verb as keyof typeof ACTIONS],
  }))
}
