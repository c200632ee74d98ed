import { type Fields, fields, list, string } from './fields.ts'
import { blocksOf, liveRecords, recordsOf } from './live-records.ts'

/** What a transcript of Claude Code holds, read without any code of the program: a measure must not share its errors. */
export interface Talk {
  /** What the person typed and what the agent wrote, in order. */
  said: Said[]
  calls: Call[]
  /** Texts with which the client went on after compactions, and how much had been said before each. */
  compactions: { text: string; said: number }[]
  /** Addresses of pull requests that the client noted. */
  pullRequests: string[]
  /** The git branch of the last record that names one. */
  branch: string
}

interface Said {
  who: 'person' | 'agent'
  text: string
}

export interface Call {
  name: string
  input: Fields
  result: string
  failed: boolean
  /** The client's own copy of the result, `toolUseResult`. */
  details: unknown
  /** How much had been said before the call. */
  said: number
}

/** Undefined where the file holds no message of a person or an agent. */
export function readTalk(jsonl: string): Talk | undefined {
  const talk: Talk = { said: [], calls: [], compactions: [], pullRequests: [], branch: '' }
  const open = new Map<string, Call>()
  const records = liveRecords(recordsOf(jsonl))
  const prompts = new Set(records.flatMap((record) => (record.type === 'user' ? [typedIn(record)] : [])))
  const queue: string[] = []
  for (const record of records) {
    talk.branch = string(record.gitBranch) || talk.branch
    if (record.type === 'pr-link') talk.pullRequests.push(string(record.prUrl))
    if (record.type === 'assistant') readAnswer(record, talk, open)
    if (record.type === 'user') readPrompt(record, talk, open)
    if (record.type === 'queue-operation') readQueue(record, talk, queue, prompts)
  }
  return talk.said.length === 0 ? undefined : talk
}

function readAnswer(record: Fields, talk: Talk, open: Map<string, Call>): void {
  if (record.isApiErrorMessage === true || fields(record.message).model === '<synthetic>') return
  for (const { type, text, id, name, input } of blocksOf(record)) {
    if (type === 'text') say(talk, 'agent', string(text))
    if (type !== 'tool_use') continue
    const call: Call = {
      name: string(name),
      input: fields(input),
      result: '',
      failed: false,
      details: undefined,
      said: talk.said.length,
    }
    open.set(string(id), call)
    talk.calls.push(call)
  }
}

function readPrompt(record: Fields, talk: Talk, open: Map<string, Call>): void {
  for (const block of blocksOf(record)) {
    const call = block.type === 'tool_result' ? open.get(string(block.tool_use_id)) : undefined
    if (call === undefined) continue
    call.result = resultText(block.content)
    call.failed = block.is_error === true
    call.details = record.toolUseResult
  }
  if (record.isCompactSummary === true) {
    talk.compactions.push({ text: promptText(record), said: talk.said.length })
  } else if (record.isMeta !== true) {
    say(talk, 'person', typedIn(record))
  }
}

/** What is typed while the agent works and given to it at once stands in no other record. */
function readQueue(
  { operation, content }: Fields,
  talk: Talk,
  queue: string[],
  prompts: ReadonlySet<string>,
): void {
  if (operation === 'enqueue') queue.push(string(content))
  if (operation === 'dequeue') queue.shift()
  if (operation === 'popAll') queue.length = 0
  if (operation !== 'remove') return
  const text = typed(queue.shift() ?? '')
  if (!prompts.has(text)) say(talk, 'person', text)
}

function promptText(record: Fields): string {
  return blocksOf(record)
    .flatMap(({ type, text }) => (type === 'text' ? [string(text)] : []))
    .join('\n\n')
}

function typedIn(record: Fields): string {
  return typed(promptText(record))
}

function resultText(content: unknown): string {
  if (typeof content === 'string') return content
  const texts = list(content).map((part) => string(fields(part).text))
  return texts.filter((text) => text !== '' && !TRAILER.test(text)).join('\n\n')
}

/** What the client adds to a subagent's report for the agent that started it. */
const TRAILER = /^agentId: \S+/

function say(talk: Talk, who: Said['who'], text: string): void {
  if (text.trim() !== '') talk.said.push({ who, text: text.trim() })
}

/** What of a prompt the person typed: of a slash command its arguments, and nothing that the client put in. */
function typed(text: string): string {
  const given = /<command-args>([\s\S]*?)<\/command-args>/.exec(text)?.[1] ?? ''
  const bare = text.replace(PUT_IN, '').replace(INTERRUPTED, '')
  const all = `${given}\n${bare}`.trim()
  return BARE_COMMAND.test(all) ? '' : all
}

/** A command of the client without an argument: /exit. */
const BARE_COMMAND = /^\/[\w:-]+$/
const PUT_IN =
  /<(system-reminder|ide_\w+|local-command-\w+|command-\w+|bash-\w+|task-notification|user-prompt-submit-hook)>[\s\S]*?<\/\1>/g
const INTERRUPTED = /^\[Request interrupted by user[^\]]*\]/gm
