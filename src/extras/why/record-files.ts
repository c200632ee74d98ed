import { idToShow } from '../../journeys/finding/passages.ts'
import { ifReadable, type Source, sourcesOf } from '../../journeys/finding/search.ts'
import { isPrompt, isTalk, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { eachMatchingLine } from '../../store/record/matching-lines.ts'
import { readMessages } from '../../store/record/read-messages.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The messages in one file of a record: messages.jsonl, an archive, or the talk of a subagent. */
export interface RecordFile {
  source: Source
  /** The path relative to the conversation's folder; '' for messages that are not published yet. */
  file: string
  messages: readonly Message[]
}

/** A message, and how a person can open it. */
export interface Place {
  source: Source
  message: Message
  /** In ms. */
  time: number
  /** What the person asked in this turn; '' if it is unknown. */
  asked: string
  /** What the agent last said in this turn, up to this message; '' if it said nothing. */
  said: string
  /** `cortext show <id> --at <at>` shows the message. Undefined when it cannot. */
  at?: string
  /** If `cortext show` cannot show the message: the file of the record that contains it. */
  file?: string
}

/** All conversations of a workspace, with archived ones. Oldest first, so a fork comes after its original. */
export async function allSources(ws: Workspace): Promise<Source[]> {
  const { open } = await sourcesOf(ws, { archived: true, subagents: true })
  return open.sort((one, other) => one.session.created_at.localeCompare(other.session.created_at))
}

/**
 * Returns all record files of the conversations that have a line that matches `pattern`, or unpublished messages. Other
 * conversations are not parsed.
 */
export function recordFilesMatching(sources: readonly Source[], pattern: RegExp): RecordFile[] {
  return sources.flatMap((source) => (hasMatch(source, pattern) ? recordFilesOf(source) : []))
}

function hasMatch({ folder, files, unpublished }: Source, pattern: RegExp): boolean {
  if (unpublished.length > 0) return true
  return files.some((file) => {
    let found = false
    ifReadable(() => eachMatchingLine(folder, file, pattern, () => (found = true), { signs: true }))
    return found
  })
}

/** Leaves out files that cannot be read. */
export function recordFilesOf(source: Source): RecordFile[] {
  const { folder, files, unpublished } = source
  const read: RecordFile[] = unpublished.length === 0 ? [] : [{ source, file: '', messages: unpublished }]
  for (const file of files)
    ifReadable(() => read.push({ source, file, messages: readMessages(folder, file).lines }))
  return read
}

export function placeOf({ source, file, messages }: RecordFile, index: number): Place {
  const message = messages[index]!
  const { asked, said: before } = turnsIn(messages)[index]!
  const said = textOf(message).trim() || before
  const opened = file === '' || file === RECORD.messages ? { at: idToShow(message) } : { file }
  return { source, message, time: Date.parse(message.timestamp), asked, said, ...opened }
}

interface Turn {
  asked: string
  said: string
}

const turns = new WeakMap<readonly Message[], Turn[]>()

/** For each message the prompt of its turn, and the last words of the agent in that turn up to it. Cached. */
function turnsIn(messages: readonly Message[]): Turn[] {
  const cached = turns.get(messages)
  if (cached !== undefined) return cached
  let turn: Turn = { asked: '', said: '' }
  const all = messages.map((message) => {
    const text = isTalk(message) ? textOf(message).trim() : ''
    if (isPrompt(message)) turn = { asked: text, said: '' }
    else if (text !== '') turn = { ...turn, said: text }
    return turn
  })
  turns.set(messages, all)
  return all
}
