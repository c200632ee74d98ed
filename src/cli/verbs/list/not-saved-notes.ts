import { type Listed, nameAndTitle } from '../../../journeys/finding/list.ts'
import { notSaved, partsInWords } from '../../../journeys/not-saved/index.ts'
import { countOf } from '../../../text/count-of.ts'
import type { Workspace } from '../../../workspace/open.ts'

/** Notes below a list. They name messages that are only in the clients' own sessions. */
export interface NotSavedNotes {
  lines: string[]
  /** The content of `lines` in a few words, for one line of a screen; '' if `lines` is empty. */
  short: string
  json: { client: string; native_id: string; messages: number; command: string }[]
}

/**
 * `conversations` contains all conversations of the workspace. The function is quick, because it reads only sessions
 * that changed since the last list.
 */
export async function notSavedNotes(ws: Workspace, conversations: readonly Listed[]): Promise<NotSavedNotes> {
  const found = await notSaved(ws, conversations)
  const lines = found.map(({ parts, command }) => {
    const words = partsInWords(parts, (path) => nameAndTitle(conversations, path))
    return `Not saved: ${words}: ${command}`
  })
  const messagesOf = (parts: (typeof found)[number]['parts']) =>
    parts.reduce((sum, { messages }) => sum + messages, 0)
  const all = found.reduce((sum, { parts }) => sum + messagesOf(parts), 0)
  return {
    lines:
      lines.length > MAX_LINES
        ? [
            ...lines.slice(0, MAX_LINES),
            `… and in ${countOf(lines.length - MAX_LINES, 'more session')}: cortext doctor`,
          ]
        : lines,
    short: all === 0 ? '' : `${all} message${all === 1 ? ' is' : 's are'} in no conversation: cortext list`,
    json: found.map(({ client, nativeId, parts, command }) => ({
      ...{ client, native_id: nativeId, messages: messagesOf(parts), command },
    })),
  }
}

const MAX_LINES = 3
