import { existsSync } from 'node:fs'
import {
  type Conversation,
  countProblems,
  type Outlined,
  readConversation,
  readDescription,
  readOutlined,
  withTokens,
} from '../../conversation/read.ts'
import { recordSize } from '../../conversation/record-size.ts'
import type { Environment } from '../../io/environment.ts'
import type { Listed } from '../../journeys/finding/list.ts'
import { currentCommand, differenceOf } from '../../journeys/resuming/current-command.ts'
import { missingAttachments } from '../../journeys/resuming/missing-attachments.ts'
import { statusWords } from '../../session/lifecycle.ts'
import { isTalk, rewoundMessages, textOf } from '../../session/live-path.ts'
import { AROUND, around } from '../../session/range.ts'
import type { Message } from '../../session/schema.ts'
import { authorOfMessage, whoseTalk } from '../../session/sharing/authors.ts'
import { withoutLastSaid } from '../../session/summary.ts'
import { byteSize, countOf } from '../../text/count-of.ts'
import { indent } from '../../text/indent.ts'
import { asJson } from '../../text/json.ts'
import { asPrinted, oneLine, shortLine } from '../../text/line.ts'
import { localTime } from '../../text/local-time.ts'
import { paste } from '../../text/paste.ts'
import { relativeTime } from '../../text/relative-time.ts'
import type { Workspace } from '../../workspace/open.ts'
import { openToRead } from '../named-conversation.ts'
import { note, printed, say, sayEach, sayJson, sayJsonList, sayWrapped, wrapProse } from '../print.ts'

interface ShowOptions {
  key?: string
  messages?: boolean
  at?: string
  json?: boolean
}

export async function show(
  environment: Environment,
  query: string | undefined,
  options: ShowOptions,
): Promise<void> {
  const { ws, found } = await openToRead(environment, 'show', query, options.key)
  if (!options.messages && options.at === undefined)
    return describe(ws, found, readDescription(ws, found.path), options)
  const conversation = withTokens(readOutlined(ws, found.path))
  try {
    await showMessages(ws, found, conversation, options)
  } finally {
    conversation.close()
  }
}

type Described = Pick<Conversation, 'path' | 'folder' | 'session' | 'messages' | 'problems'>

async function describe(
  ws: Workspace,
  found: Listed,
  conversation: Described,
  options: ShowOptions,
): Promise<void> {
  const { session, problems, path, folder } = conversation
  const size = recordSize(folder)
  if (options.json) return sayJson({ name: found.name, path, session, size, problems })
  await sayFacts(ws, conversation, found, { size, summary: session.context_summary || '(none)' })
  noteProblems(conversation)
}

async function sayFacts(
  ws: Workspace,
  conversation: Described,
  { status, live, worktree }: Listed,
  known: { size: ReturnType<typeof recordSize>; summary: string },
): Promise<void> {
  sayWrapped(
    shortLine(conversation.session.title, MAX_TITLE),
    factsOf(ws, conversation, { status, live, worktree }, known),
  )
  const { change } = currentCommand(ws, conversation)
  if (change !== undefined) sayWrapped(`  ${change.sentence}`, await differenceOf(change))
}

/**
 * Shows all messages, or with `--at` one message and those around it. Without `--json`, leaves out messages that were
 * taken back. Shows them too if the message of `--at` was taken back; without `--at`, if the last message was, because
 * otherwise the end of what was said would be missing. Reads and prints one message after another.
 */
async function showMessages(
  ws: Workspace,
  found: Listed,
  conversation: Outlined,
  options: ShowOptions,
): Promise<void> {
  const { session, messages, problems, path, folder, whole } = conversation
  const size = recordSize(folder)
  const passage = options.at === undefined ? undefined : around(messages, options.at)
  const shown = passage?.messages ?? messages
  if (options.json)
    return sayJsonList(
      { name: found.name, path, session, size, ...(passage === undefined ? {} : { at: passage.at.id }) },
      'messages',
      each(shown, whole),
      { problems },
    )
  // A summary that the program made only quotes the messages below it.
  const summary = withoutLastSaid(session.context_summary)
  if (passage === undefined) await sayFacts(ws, conversation, found, { size, summary })
  else sayWrapped(shortLine(session.title, MAX_TITLE), `  ${oneLine(path)}`)
  const back = rewoundMessages(messages)
  const named = (passage?.at ?? shown.at(-1))!
  const wanted = back.has(named) ? shown : shown.filter((message) => !back.has(message))
  const numbers = new Map(messages.filter(isTalk).map((message, index) => [message, index + 1]))
  const marksOf = (message: Message) => [
    ...(back.has(message) ? ['taken back'] : []),
    ...(message === passage?.at ? ['here'] : []),
  ]
  say('')
  await sayEach(
    each(wanted, (message) => printed(lines(whole(message), numbers.get(message), marksOf(message)))),
  )
  const left = shown.length - wanted.length
  const command =
    options.key === undefined ? paste`cortext show ${found.name}` : paste`cortext show --key ${options.key}`
  if (left > 0)
    note(
      `${left === 1 ? '1 message that was taken back is' : `${left} messages that were taken back are`} not shown. To show all: ${command} --messages --json`,
    )
  if (passage !== undefined) note(furtherOf(wanted, numbers, command))
  noteProblems(conversation)
}

function* each<T, R>(items: readonly T[], make: (item: T) => R): Generator<R> {
  for (const item of items) yield make(item)
}

function noteProblems(conversation: Described & Partial<Pick<Conversation, 'segments'>>): void {
  const missing = missingAttachments(conversation)
  if (missing !== undefined) note(`Not on this machine: ${missing}. Git does not carry attachments.`)
  const named = conversation.problems.slice(0, MAX_PROBLEMS)
  const unnamed = countProblems(conversation.problems) - named.length
  note(
    named.map(({ path: file, line, kind }) => oneLine(`${file}:${line}: ${kind}`)),
    unnamed > 0 ? `and ${countOf(unnamed, 'more line')} that cannot be read` : [],
  )
}

/**
 * A title and each line about the conversation are cut at these lengths. Nobody writes longer ones, but a clone may
 * contain them.
 */
const MAX_TITLE = 500
const MAX_FACT = 10_000

/** At most this many unreadable lines are named. */
const MAX_PROBLEMS = 20

function factsOf(
  ws: Workspace,
  { session, messages, path, folder, problems }: Described,
  { status, live, worktree }: { [key in 'status' | 'live' | 'worktree']: Listed[key] },
  { size, summary }: { size: ReturnType<typeof recordSize>; summary: string },
): string[] {
  const { agent_config: agent } = session
  const whose = whoseTalk(messages)
  const lastActive = new Date(session.last_active)
  const said = messages.filter(isTalk).length
  // The count in session.json includes messages that this version cannot read.
  const unread = problems.length > 0 && said < session.message_count ? `, ${said} of them readable` : ''
  const facts = [
    path,
    `Type: ${session.conversation_type} | Status: ${statusWords(status)} | Last active: ${relativeTime(lastActive, ws.environment.now())} (${localTime(lastActive)})`,
    `Messages: ${session.message_count}${unread} | Tokens: about ${session.token_count} | Record: ${recordOf(folder, size, said + session.message_count)}${size.archive > 0 ? `, and ${byteSize(size.archive)} in its archive` : ''}`,
    ...(worktree === undefined ? [] : [`Worktree: ${live ? 'open' : 'last'} in ${worktree}`]),
    ...(whose === undefined ? [] : [`Whose: ${whose}`]),
    ...(session.key === undefined ? [] : [`Key: ${session.key}`]),
    `Client: ${agent.client} | Model: ${agent.model}${agent.command === undefined ? '' : ` | Command: ${agent.command}`}`,
    toolsLine(ws, agent.tools, messages, path),
    ...(summary === '' ? [] : [`Summary: ${summary}`]),
  ]
  return facts.map((fact) => `  ${shortLine(fact, MAX_FACT)}`)
}

/** The size of a record in words. A record that git has on another branch is not in this work tree. */
function recordOf(folder: string, size: ReturnType<typeof recordSize>, said: number): string {
  if (size.messages > 0 || said === 0) return byteSize(size.messages)
  return existsSync(folder) ? 'not saved yet' : 'not in this work tree'
}

/** Names the tools that the client gave the agent, or else those that the agent has used. */
function toolsLine(
  ws: Workspace,
  given: readonly string[],
  messages: readonly Message[],
  path: string,
): string {
  if (given.length > 0) return `Tools: ${given.join(', ')}`
  const read = messages.length > 0 ? messages : readConversation(ws, path, { outlines: true }).messages
  const used = new Set(read.flatMap(({ tool_calls = [] }) => tool_calls.map(({ name }) => name)))
  return used.size > 0
    ? `Tools used: ${[...used].join(', ')}`
    : 'Tools: (the client names none, and none was used)'
}

/** Lines that say which messages a passage shows, and which commands show the messages before and after it. */
function furtherOf(
  shown: readonly Message[],
  numbers: ReadonlyMap<Message, number>,
  command: string,
): string[] {
  const shownNumbers = shown.flatMap((message) => numbers.get(message) ?? [])
  const [first, last] = [shownNumbers[0] ?? 1, shownNumbers.at(-1) ?? numbers.size]
  const at = (number: number) => `${command} --at ${Math.max(1, Math.min(number, numbers.size))}`
  return [
    `Messages ${first} to ${last} of ${numbers.size}. All of them: ${command} --messages`,
    ...(first > 1 ? [`Before these: ${at(first - AROUND - 1)}`] : []),
    ...(last < numbers.size ? [`After these: ${at(last + AROUND + 1)}`] : []),
  ]
}

function lines(message: Message, number: number | undefined, marks: readonly string[]): string[] {
  const calls = (message.tool_calls ?? []).map(
    (call) => `→ ${oneLine(call.name)} ${asJson(call.arguments ?? {})}`,
  )
  const author = authorOfMessage(message)
  const who =
    (author && `user (${author})`) ??
    // What an import took in began earlier than its event.
    (message.event === 'started' && message.how === 'import' ? 'imported' : message.event) ??
    (message.role === 'tool' ? `tool ${message.tool_name ?? ''}`.trim() : message.role)
  const text = asPrinted(textOf(message))
  const head = [...(number === undefined ? [] : [number]), who, localTime(message.timestamp), ...marks].join(
    ' · ',
  )
  return [
    ...wrapProse(`── ${oneLine(head)}`),
    ...(text === '' ? [] : [indent(wrapProse(text, INDENT).join('\n'))]),
    ...calls.flatMap((call) => wrapProse(call)),
    '',
  ]
}

/** The width of the space that `indent` puts before each recorded line. */
const INDENT = 1
