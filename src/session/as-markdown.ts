import { countOf } from '../text/count-of.ts'
import { indent } from '../text/indent.ts'
import { asJson } from '../text/json.ts'
import { asPrinted, oneLine } from '../text/line.ts'
import { contentOf, livePath } from './live-path.ts'
import { prunedEvents } from './pruning/event.ts'
import type { Message, SessionFile } from './schema.ts'
import { authorOfMessage } from './sharing/authors.ts'

/**
 * Returns the messages `shown`, by default the live path, as Markdown for people. Texts are whole; calls and results
 * are in fences that their content cannot close.
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
      `${session.conversation_type}, ${session.created_at} to ${session.last_active}, ${countOf(session.message_count, 'message')}, ${session.status}.`,
    ),
    ...(session.context_summary === '' ? [] : ['', `> ${oneLine(session.context_summary)}`]),
    ...prunedEvents(messages).flatMap(({ content, summary }) => [
      '',
      `> ${oneLine(String(content))}`,
      '',
      below(summary),
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
    ...inFence(asJson(call.arguments ?? {}, 2), 'json'),
  ])
  return [
    '',
    `## ${who} (${oneLine(message.timestamp)})`,
    ...(text === '' ? [] : ['', below(text)]),
    ...calls,
  ]
}

/**
 * Prepares recorded Markdown for a place below a heading of level 2. Its own headings move two levels down, so that
 * none looks like the head of a message. A fence that the text leaves open is closed. Like everywhere, recorded lines
 * begin with a space, so that in a terminal none looks like a line of cortext. Markdown looks the same with it.
 */
function below(text: string): string {
  let fence = ''
  let before = ''
  const lines = asPrinted(text)
    .split('\n')
    .map((line) => {
      const [, marks = ''] = FENCE.exec(line) ?? []
      const isInside = fence !== ''
      if (!isInside) fence = marks
      else if (marks.startsWith(fence) && line.trim() === marks) fence = ''
      const isUnderline = before !== '' && UNDERLINE.test(line)
      before = isInside || marks !== '' ? '' : line.trim()
      if (isInside || marks !== '') return line
      return isUnderline ? `\\${line.trimStart()}` : line.replace(HEADING, '$&##')
    })
  return indent([...lines, ...(fence === '' ? [] : [fence])].join('\n')).replace(DEEP_FENCE, '$1')
}

/** Markdown takes a fence behind four spaces for code. */
const DEEP_FENCE = /^ ( {3}(?:`{3}|~{3}))/gm
const FENCE = /^ {0,3}(`{3,}|~{3,})/
/** A line that makes a heading of the line above it. */
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
/** Headings of level 5 and 6 stay as they are, because they are already below the heads of messages. */
const HEADING = /^ {0,3}#{1,4}(?=[ \t]|$)/

function inFence(text: string, language: string): string[] {
  let longest = 2
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  return [` ${fence}${language}`, indent(text), ` ${fence}`]
}
