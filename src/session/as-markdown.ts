import { oneLine } from '../text/line.ts'
import { contentOf, livePath } from './live-path.ts'
import { prunedEvents } from './pruning/event.ts'
import { escapeHeadings } from './resume-block.ts'
import type { Message, SessionFile } from './schema.ts'
import { authorOfMessage } from './sharing/authors.ts'

/**
 * Returns the live path, or the messages `shown` of it, as Markdown for people. Texts are whole; calls and results are
 * in fences that their content cannot close.
 */
export function asMarkdown(
  session: SessionFile,
  messages: readonly Message[],
  shown: readonly Message[] = livePath(messages),
): string {
  const head = [
    `# ${oneLine(session.title)}`,
    '',
    oneLine(
      `${session.conversation_type}, ${session.created_at} to ${session.last_active}, ${session.message_count} messages, ${session.status}.`,
    ),
    ...(session.context_summary === '' ? [] : ['', `> ${oneLine(session.context_summary)}`]),
    ...prunedEvents(messages).flatMap(({ content, summary }) => [
      '',
      `> ${oneLine(String(content))}`,
      '',
      escapeHeadings(summary),
    ]),
  ]
  return `${[...head, ...shown.flatMap(section)].join('\n')}\n`
}

function section(message: Message): string[] {
  const text = contentOf(message)
  if (message.role === 'tool') {
    const failed = message.is_error === true ? ', failed' : ''
    return ['', `**Result of ${oneLine(message.tool_name ?? 'a tool')}${failed}**`, '', ...inFence(text, '')]
  }
  const author = authorOfMessage(message)
  const role = message.role === 'user' ? 'User' : message.role === 'assistant' ? 'Assistant' : 'System'
  const who = author === undefined ? role : `${role} ${author}`
  const calls = (message.tool_calls ?? []).flatMap((call) => [
    '',
    `**${oneLine(call.name)}**`,
    '',
    ...inFence(JSON.stringify(call.arguments ?? {}, null, 2), 'json'),
  ])
  return [
    '',
    `## ${who} (${oneLine(message.timestamp)})`,
    ...(text === '' ? [] : ['', escapeHeadings(text)]),
    ...calls,
  ]
}

function inFence(text: string, language: string): string[] {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return [`${fence}${language}`, text, fence]
}
