import { basename, relative, resolve, sep } from 'node:path'
import { toolVocabulary } from '../../clients/tool-vocabulary.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { editsOf, type FileEdit, seenIn } from './edits.ts'
import { type Place, placeOf, type Told } from './told.ts'

/** What a tool did to a file in a conversation: an edit, or only a look at it. */
export type Writing = FileEdit & {
  /** Relative to the root, with forward slashes. */
  file: string
  place: Place
}

/**
 * What the tools of these conversations did to files, the oldest first. A call that failed or was refused wrote nothing. What a
 * fork has copied counts for the conversation that it came from.
 */
export function writingsIn(root: string, told: readonly Told[]): Writing[] {
  const tools = toolVocabulary()
  const known = new Set<string>()
  const writings = told.flatMap((one) => {
    const results = resultsIn(one.messages)
    return one.messages.flatMap((message, index) =>
      (message.tool_calls ?? []).flatMap((call): Writing[] => {
        const key = `${message.id} ${call.id}`
        const result = results.get(call.id)
        if (known.has(key) || result?.is_error === true || result?.refused === true) return []
        known.add(key)
        const seen =
          result === undefined || result.truncated !== undefined
            ? undefined
            : seenIn(tools, call, message.client, textOf(result))
        const edits = seen === undefined ? editsOf(tools, call, message.client) : [seen]
        if (edits.length === 0) return []
        const place = placeOf(one, index)
        const time = Date.parse(result?.timestamp ?? message.timestamp)
        return edits.flatMap((edit) => {
          const file = insideOf(root, edit.path)
          return file === undefined ? [] : [{ ...edit, file, place: { ...place, time } }]
        })
      }),
    )
  })
  return writings.filter(({ place }) => !Number.isNaN(place.time)).sort((a, b) => a.place.time - b.place.time)
}

export function resultsIn(messages: readonly Message[]): Map<string, Message> {
  return new Map(
    messages.flatMap((message) =>
      message.role === 'tool' && message.tool_call_id !== undefined ? [[message.tool_call_id, message]] : [],
    ),
  )
}

/**
 * A path of a tool call as one below the root; undefined for a file elsewhere. On another machine the work tree lay
 * elsewhere: there its folder's own name has to be in the path.
 */
export function insideOf(root: string, path: string): string | undefined {
  if (path.includes('\0')) return undefined
  const inside = relative(root, resolve(root, path)).split(sep).join('/')
  if (inside !== '' && inside !== '..' && !inside.startsWith('../')) return inside
  const parts = path.split(/[\\/]/)
  const at = parts.lastIndexOf(basename(root))
  const below = parts.slice(at + 1)
  return at === -1 || below.length === 0 || below.includes('..') ? undefined : below.join('/')
}
