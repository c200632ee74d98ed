import { CortextError } from '../../errors.ts'
import { listInside, placeInside } from '../../io/inside.ts'
import { textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { listLive } from '../../store/machine/list-bindings.ts'
import { wholeText } from '../../store/record/attachments.ts'
import { matchingLines } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/messages.ts'
import { prunedFile, prunedFilesIn } from '../../store/record/pruned-files.ts'
import { scanConversations } from '../../store/scan.ts'
import type { Workspace } from '../../workspace/open.ts'

export interface Hit {
  /** Workspace-relative path of the conversation. */
  path: string
  title: string
  type: string
  /** Whether the words are in the metadata. Below: the first few messages that hold them, and the number of all. */
  inMetadata: boolean
  messages: { role: string; timestamp: string; excerpt: string }[]
  total: number
}

const EXCERPTS = 3
const AROUND = 60

/**
 * Finds conversations in which all words occur together: in one message, or in title, summary and tags. Ignores case.
 */
export async function search(ws: Workspace, query: string): Promise<Hit[]> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const live = new Set(listLive(ws.local, ws).map(({ segment }) => segment.conversation))
  const hits: Hit[] = []
  for (const { path, session, backupOnly } of scanConversations(ws.root, ws.local, ws)) {
    if (session === undefined) continue
    const metadata = `${session.title} ${session.conversation_id} ${session.context_summary} ${(session.tags ?? []).join(' ')}`
    const inMetadata = hasAll(metadata.toLowerCase(), words)
    const found = await readable(() => said(ws, path, words, live.has(path) || backupOnly === true))
    if (!inMetadata && found.length === 0) continue
    hits.push({
      path,
      title: session.title,
      type: session.conversation_type,
      inMetadata,
      messages: found.slice(0, EXCERPTS).map((message) => excerpt(message, words)),
      total: found.length,
    })
  }
  return hits
}

/** A conversation that cannot be read does not stop the search of the others; `list` and `show` tell what is wrong. */
async function readable(read: () => Message[] | Promise<Message[]>): Promise<Message[]> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return []
  }
}

/**
 * Finds the messages that hold the words, in the record and in the pruned lines. A result that is cut in its line is
 * looked through as a whole where this machine has it.
 */
async function said(ws: Workspace, path: string, words: string[], isLive: boolean): Promise<Message[]> {
  const folder = placeInside(ws.root, path)
  const archives = prunedFilesIn(folder).map((archive) => prunedFile({ archive }))
  const files = isLive ? archives : [...archives, RECORD.messages]
  const found = inFiles(folder, files, words)
  for (const message of inWhole(folder, cutIn(folder, files), words)) found.set(message.id, message)
  if (isLive) for (const message of await unpublished(ws, path, words)) found.set(message.id, message)
  return [...found.values()]
}

/** The messages of the files whose content is cut. Nothing is read where no whole content is here. */
function cutIn(folder: string, paths: readonly string[]): Message[] {
  if (listInside(folder, RECORD.attachments, '').length === 0) return []
  const lines = paths.flatMap((path) => [...matchingLines(folder, path, ['"truncated":{'])])
  return lines.flatMap((line) => messageIn(line) ?? [])
}

/** The messages that hold the words only where their line is cut, with the whole as their content. */
function inWhole(folder: string, messages: readonly Message[], words: string[]): Message[] {
  return messages.flatMap((message) => {
    const isFound = (text: string | undefined): text is string => hasAll((text ?? '').toLowerCase(), words)
    if (message.truncated === undefined || isFound(textOf(message))) return []
    const whole = wholeText(folder, message)
    return isFound(whole) ? [{ ...message, content: whole }] : []
  })
}

/** The import is dynamic because it loads the readers of all clients and the rules of redaction. */
async function unpublished(ws: Workspace, path: string, words: string[]): Promise<Message[]> {
  const { readConversation } = await import('../conversation/read.ts')
  const { folder, messages } = readConversation(ws, path)
  const found = messages.filter((message) => hasAll(textOf(message).toLowerCase(), words))
  return [...found, ...inWhole(folder, messages, words)]
}

/** A line is parsed only where its raw text already holds every word. */
function inFiles(folder: string, paths: readonly string[], words: string[]): Map<string, Message> {
  // JSON escapes quotes, backslashes and control characters. Words with these are looked for only in parsed lines.
  const plain = words.filter((word) => JSON.stringify(word) === `"${word}"`)
  const found = new Map<string, Message>()
  for (const line of paths.flatMap((path) => [...matchingLines(folder, path, plain)])) {
    // Whoever reads the record reports a torn or foreign line. Here it only does not match.
    const message = messageIn(line)
    if (message !== undefined && hasAll(textOf(message).toLowerCase(), words)) found.set(message.id, message)
  }
  return found
}

function hasAll(text: string, words: string[]): boolean {
  return words.every((word) => text.includes(word))
}

function excerpt(message: Message, words: string[]) {
  const text = textOf(message).replace(/\s+/g, ' ')
  const at = Math.max(text.toLowerCase().indexOf(words[0] ?? ''), 0)
  const from = Math.max(at - AROUND, 0)
  const to = at + AROUND
  return {
    role: message.role,
    timestamp: message.timestamp,
    excerpt: `${from > 0 ? '…' : ''}${text.slice(from, to)}${to < text.length ? '…' : ''}`,
  }
}
