import { type Listed, numberAndTitle } from '../../journeys/finding/list.ts'
import { unkeptWords } from '../../journeys/importing/unkept-parts.ts'
import { rememberedUnrecorded } from '../../journeys/importing/unrecorded.ts'
import type { Workspace } from '../../workspace/open.ts'

/** What a list says of words that only the clients' own sessions hold. */
export interface UnkeptNotes {
  lines: string[]
  /** The same in few words, for one line of a screen; '' when there is nothing. */
  short: string
  json: { client: string; native_id: string; messages: number; command: string }[]
}

/** `conversations` are all of the workspace. Quick: it reads only what has changed since the last list. */
export function unkeptNotes(ws: Workspace, conversations: readonly Listed[]): UnkeptNotes {
  const { found } = rememberedUnrecorded(ws, conversations)
  const told = found.map(({ parts, command }) => {
    const words = unkeptWords(parts, (path) => numberAndTitle(conversations, path))
    return `Not kept: ${words}: ${command}`
  })
  const messagesOf = (parts: (typeof found)[number]['parts']) =>
    parts.reduce((sum, { messages }) => sum + messages, 0)
  const all = found.reduce((sum, { parts }) => sum + messagesOf(parts), 0)
  return {
    lines:
      told.length > MAX
        ? [...told.slice(0, MAX), `… and in ${told.length - MAX} more sessions: cortext doctor`]
        : told,
    short: all === 0 ? '' : `${all} message${all === 1 ? ' is' : 's are'} in no conversation: cortext list`,
    json: found.map(({ client, nativeId, parts, command }) => ({
      ...{ client, native_id: nativeId, messages: messagesOf(parts), command },
    })),
  }
}

const MAX = 3
