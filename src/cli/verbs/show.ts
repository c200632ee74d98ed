import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { missingAttachments } from '../../journeys/conversation/missing-attachments.ts'
import { readConversation } from '../../journeys/conversation/read.ts'
import { readDescription } from '../../journeys/conversation/read-new.ts'
import { recordSize } from '../../journeys/conversation/record-size.ts'
import { currentCommand, differenceOf } from '../../journeys/resuming/current-command.ts'
import { statusWords } from '../../session/lifecycle.ts'
import { isTalk, takenBack, textOf } from '../../session/live-path.ts'
import type { Message } from '../../session/schema.ts'
import { authorOfMessage, whoseTalk } from '../../session/sharing/authors.ts'
import { asSeen, oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { note, say, sayJson, tell } from '../print.ts'
import { settle } from '../settle.ts'
import { checkNamed, which } from '../which.ts'

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
  checkNamed('show', query, options.key)
  const ws = openWorkspace(environment)
  await settle(ws)
  const found = await which(ws, 'show', query, options.key)
  const wantsMessages = options.messages === true || options.at !== undefined
  const conversation = wantsMessages ? readConversation(ws, found.path) : readDescription(ws, found.path)
  const { session, messages, problems, path, folder } = conversation
  const size = recordSize(folder)
  const shown = upTo(messages, options.at)
  if (options.json === true)
    return sayJson({
      path,
      session,
      size,
      ...(wantsMessages ? { messages: shown } : {}),
      problems,
    })
  const { agent_config: agent } = session
  const whose = whoseTalk(messages)
  const facts = [
    path,
    `Type: ${session.conversation_type} | Status: ${statusWords(found.status)} | Last active: ${session.last_active}`,
    `Messages: ${session.message_count} | Tokens: about ${session.token_count} | Record: ${size.messages} bytes${size.archive > 0 ? `, and ${size.archive} in its archive` : ''}`,
    ...(whose === undefined ? [] : [`Whose: ${whose}`]),
    ...(session.key === undefined ? [] : [`Key: ${session.key}`]),
    `Client: ${agent.client} | Model: ${agent.model} | Command: ${agent.command}`,
    `Tools: ${agent.tools.join(', ') || '(none known)'}`,
    `Summary: ${session.context_summary || '(none)'}`,
  ]
  tell(oneLine(session.title), facts.map((fact) => `  ${oneLine(fact)}`))
  const { change } = currentCommand(ws, session)
  if (change !== undefined) tell(`  ${change.sentence}`, (await differenceOf(change)))
  if (wantsMessages) {
    const back = takenBack(messages)
    const wanted = back.has(shown.at(-1)!) ? shown : shown.filter((message) => !back.has(message))
    say('', wanted.flatMap((message) => lines(message, back.has(message))))
    const left = shown.length - wanted.length
    if (left > 0)
      note(
        `${left === 1 ? '1 message that was taken back is' : `${left} messages that were taken back are`} not shown. With all: ${paste`cortext show ${session.conversation_id} --messages --json`}`,
      )
  }
  const missing = missingAttachments(conversation)
  if (missing !== undefined) note(`Not on this machine: ${missing}. Git does not carry attachments.`)
  note(problems.map(({ path: file, line, kind }) => oneLine(`${file}:${line}: ${kind}`)))
}

/** Up to a message, by its number among what was said, by its id or by the beginning of that. */
function upTo(messages: Message[], at: string | undefined): Message[] {
  if (at === undefined) return messages
  const named = /^\d{1,9}$/.test(at) ? undefined : messages.findIndex(({ id }) => id.startsWith(at))
  if (named === -1 || at === '')
    throw new CortextError('usage', `"${at}" is neither a number of messages nor the id of one`, {
      fix: '--at 10',
    })
  if (named !== undefined) return messages.slice(0, named + 1)
  const count = Number(at)
  const end = messages.filter(isTalk)[count - 1]
  return end === undefined ? (count === 0 ? [] : messages) : messages.slice(0, messages.indexOf(end) + 1)
}

function lines(message: Message, isBack: boolean): string[] {
  const calls = (message.tool_calls ?? []).map(
    (call) => `  → ${oneLine(call.name)} ${JSON.stringify(call.arguments)}`,
  )
  const author = authorOfMessage(message)
  const who =
    (author && `user (${author})`) ??
    message.event ??
    (message.role === 'tool' ? `tool ${message.tool_name ?? ''}`.trim() : message.role)
  // A text must not look like the head of another message.
  const text = asSeen(textOf(message)).replace(/(^|[\n\r\v\f])(?=── )/g, '$1\\')
  const head = `${who} · ${message.timestamp}${isBack ? ' · taken back' : ''}`
  return [`── ${oneLine(head)}`, ...(text === '' ? [] : [text]), ...calls, '']
}
