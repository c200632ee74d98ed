import { CortextError } from '../../errors.ts'
import { idToShow } from '../../journeys/finding/passages.ts'
import { type Source, sourcesOf } from '../../journeys/finding/search.ts'
import { isPrompt, isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { eachMatchingLine } from '../../store/record/matching-lines.ts'
import { readMessages } from '../../store/record/messages.ts'
import type { Workspace } from '../../workspace/open.ts'

/** What was said and done in one file of a conversation's record: the talk itself, its archive, or a subagent. */
export interface Told {
  source: Source
  /** Below the conversation's folder; '' for what is not saved yet. */
  file: string
  messages: readonly Message[]
}

/** A message, and how to open it. */
export interface Place {
  source: Source
  message: Message
  /** The time in ms. */
  time: number
  /** What the person had asked for in that turn, '' where nothing is known. */
  asked: string
  /** What the agent said in that turn up to there, '' for nothing. */
  said: string
  /** `cortext show <id> --at <at>` shows it; undefined for a message that show does not have. */
  at?: string
  /** The file below the conversation that holds it, for one that show does not have. */
  file?: string
}

/** All conversations of a workspace, archived ones too, the oldest first, so that a fork comes after what it copied. */
export async function allSources(ws: Workspace): Promise<Source[]> {
  const { open } = await sourcesOf(ws, { archived: true, subagents: true })
  return open.sort((one, other) => one.session.created_at.localeCompare(other.session.created_at))
}

/**
 * What was said in the conversations of which at least one line matches. The records are looked through first, and only
 * those that match are read. One that cannot be read is passed over.
 */
export function toldIn(sources: readonly Source[], pattern: RegExp): Told[] {
  return sources.flatMap((source) => (holds(source, pattern) ? allTold(source) : []))
}

function holds({ folder, files, unsaved }: Source, pattern: RegExp): boolean {
  if (unsaved !== undefined) return true
  return files.some((file) => {
    let found = false
    ifReadable(() => eachMatchingLine(folder, file, pattern, () => (found = true), { signs: true }))
    return found
  })
}

/** All that was said in a conversation, file by file. */
export function allTold(source: Source): Told[] {
  const { folder, files, unsaved } = source
  const told: Told[] = unsaved === undefined ? [] : [{ source, file: '', messages: unsaved }]
  for (const file of files)
    ifReadable(() => told.push({ source, file, messages: readMessages(folder, file).lines }))
  return told
}

function ifReadable(read: () => void): void {
  try {
    read()
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
  }
}

/** A message with what was said around it. */
export function placeOf({ source, file, messages }: Told, index: number): Place {
  const message = messages[index]!
  let said = textOf(message).trim()
  let at = index
  for (; at > 0 && !isPrompt(messages[at]!); at -= 1)
    if (said === '' && isTalk(messages[at]!)) said = textOf(messages[at]!).trim()
  const prompt = messages[at]!
  const asked = isPrompt(prompt) ? textOf(prompt).trim() : ''
  const where = file === '' || file === RECORD.messages ? { at: idToShow(message) } : { file }
  return { source, message, time: Date.parse(message.timestamp), asked, said, ...where }
}
