// Measures the search with questions and the ids of the messages that answer them (questions.mjs). any@1 and any@5: a
// right conversation is the first, or among the first five; message@3: a right message is among the first three that are
// printed. Beside it plain BM25 over whole conversations and over messages. Asserts nothing.
import { readFileSync } from 'node:fs'
import { currentEnvironment } from '../../src/io/environment.ts'
import { passagesIn } from '../../src/journeys/finding/passages.ts'
import { searchConversations } from '../../src/journeys/finding/search.ts'
import type { Fit } from '../../src/search/rank.ts'
import { textOf } from '../../src/session/live-path.ts'
import type { Message } from '../../src/session/schema.ts'
import { messageIn } from '../../src/store/record/read-messages.ts'
import { scanConversations } from '../../src/store/scan.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'
import { Bm25 } from './bm25.ts'

interface Question {
  root: string
  q: string
  /** The same in two other wordings. */
  alt?: string[]
  kind: string
  /** Native ids, or beginnings of our ids, of the messages that answer. */
  ids: string[]
  /** Paths of further conversations that answer as well. */
  also?: string[]
}

interface Answer {
  /** Index of the first right conversation and message; Infinity when there is none. */
  conversation: number
  message: number
  /** How well the first one is said to fit; undefined when nothing is found. */
  fit?: Fit | undefined
}

const [file = '', never = '', ...flags] = process.argv.slice(2)
const questions: Question[] = JSON.parse(readFileSync(file, 'utf8'))
const roots = new Map([...new Set(questions.map(({ root }) => root))].map((root) => [root, readRoot(root)]))

const ours: Answer[] = []
for (const question of questions) ours.push(await searched(question, [question.q]))
print('cortext', ours)
const worded = questions.filter(({ alt }) => alt !== undefined)
const three: Answer[] = []
for (const question of worded) three.push(await searched(question, [question.q, ...question.alt!]))
if (worded.length > 0) print('… in three wordings', three)
print('BM25 per conversation', questions.map(perConversation))
print('BM25 per message', questions.map(perMessage))
const sure = ours.filter(({ fit }) => fit === 'sure')
say(
  `called sure ${sure.length}, of these right ${sure.filter(({ conversation }) => conversation === 0).length}`,
)
await neverSaid(readFileSync(never, 'utf8').trim().split('\n'))
if (flags.includes('kinds'))
  for (const kind of new Set(questions.map((question) => question.kind)))
    print(
      `  ${kind}`,
      ours.filter((_, index) => questions[index]!.kind === kind),
    )
if (flags.includes('misses'))
  for (const [index, { conversation, message }] of ours.entries())
    if (conversation > 0 || message > 2)
      say(`${conversation}\t${message}\t${questions[index]!.kind}\t${questions[index]!.q}`)

interface Root {
  ws: Workspace
  messages: { path: string; message: Message }[]
  paths: string[]
  byMessage: Bm25
  byConversation: Bm25
}

function readRoot(root: string): Root {
  const environment = { ...currentEnvironment(), cwd: root }
  const ws = openWorkspace(environment)
  const messages: Root['messages'] = []
  const paths: string[] = []
  const whole: string[] = []
  for (const { path } of scanConversations(root, ws.local, ws)) {
    const lines = readFileSync(`${root}/${path}/.session/messages.jsonl`, 'utf8').split('\n')
    const found = lines.flatMap((line) => messageIn(line) ?? [])
    for (const message of found) messages.push({ path, message })
    paths.push(path)
    whole.push(found.map(textOf).join('\n'))
  }
  return {
    ...{ ws, messages, paths },
    byMessage: new Bm25(messages.map(({ message }) => textOf(message))),
    byConversation: new Bm25(whole),
  }
}

function answers({ ids }: Question, message: Message): boolean {
  return ids.some((id) => message.native_id === id || message.id.startsWith(id))
}

function pathsOf(question: Question, { messages }: Root): Set<string> {
  const right = messages.filter(({ message }) => answers(question, message)).map(({ path }) => path)
  return new Set([...right, ...(question.also ?? [])])
}

/** Asks about things that nobody said, in the first workspace. */
async function neverSaid(asked: readonly string[]): Promise<void> {
  const { ws } = [...roots.values()][0]!
  const fits: (Fit | undefined)[] = []
  for (const question of asked) fits.push((await searchConversations(ws, question))?.found[0]?.fit)
  const count = (fit: Fit | undefined) => fits.filter((one) => one === fit).length
  say(
    `never said ${fits.length}: sure ${count('sure')}, likely ${count('likely')}, weak ${count('weak')}, nothing ${count(undefined)}`,
  )
}

async function searched(question: Question, wordings: readonly string[]): Promise<Answer> {
  const root = roots.get(question.root)!
  const right = pathsOf(question, root)
  const { found = [], query } = (await searchConversations(root.ws, wordings.join('\n'))) ?? {}
  const messages = found.slice(0, 5).flatMap((one) => passagesIn(one, query!).messages)
  return {
    conversation: placeOf(found, ({ candidate }) => right.has(candidate.path)),
    message: placeOf(messages, ({ message }) => answers(question, message)),
    fit: found[0]?.fit,
  }
}

function perConversation(question: Question): Answer {
  const root = roots.get(question.root)!
  const right = pathsOf(question, root)
  const ranked = root.byConversation.ranked(question.q)
  return {
    conversation: placeOf(ranked, (index) => right.has(root.paths[index]!)),
    message: Number.POSITIVE_INFINITY,
  }
}

function perMessage(question: Question): Answer {
  const root = roots.get(question.root)!
  const right = pathsOf(question, root)
  const ranked = root.byMessage.ranked(question.q).map((index) => root.messages[index]!)
  const paths = [...new Set(ranked.map(({ path }) => path))]
  return {
    conversation: placeOf(paths, (path) => right.has(path)),
    message: placeOf(ranked, ({ message }) => answers(question, message)),
  }
}

function placeOf<T>(all: readonly T[], isRight: (one: T) => boolean): number {
  const index = all.findIndex(isRight)
  return index === -1 ? Number.POSITIVE_INFINITY : index
}

function print(name: string, found: readonly Answer[]): void {
  const part = (isRight: (answer: Answer) => boolean) =>
    `${((100 * found.filter(isRight).length) / Math.max(found.length, 1)).toFixed(1).padStart(5)} %`
  say(
    `${name.padEnd(22)} ${String(found.length).padStart(5)} questions   any@1 ${part(({ conversation }) => conversation < 1)}   any@5 ${part(({ conversation }) => conversation < 5)}   message@3 ${part(({ message }) => message < 3)}`,
  )
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
