// How often `cortext search` finds the right conversation for a question, measured with LoCoMo: ten conversations of
// two people over months, in sessions, and questions about each with the sessions that hold the answer. Every session
// becomes a conversation in a workspace, a workspace for each of the ten. Prints the part of the questions for which a
// right one is the first, and is among the first five; for the five conversations that the numbers in
// src/search/rank.ts were found with, and for the five that nobody looked at. Asserts nothing.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildContext } from '../../src/context/build.ts'
import { o200k, type Tokenizer } from '../../src/context/tokens/index.ts'
import { currentEnvironment } from '../../src/io/environment.ts'
import { searchConversations } from '../../src/journeys/finding/search.ts'
import { relevanceOf } from '../../src/search/relevance.ts'
import type { Message } from '../../src/session/schema.ts'
import { openWorkspace, type Workspace } from '../../src/workspace/open.ts'

const USAGE = `usage: npm run locomo -- <path to locomo10.json>
The data set is not part of this project. It is data/locomo10.json of the repository snap-research/locomo on GitHub
(Maharana and others, 2024, "Evaluating Very Long-Term Conversational Memory of LLM Agents"; CC BY-NC 4.0):
  git clone --depth 1 https://github.com/snap-research/locomo`

interface Sample {
  conversation: Record<string, unknown>
  qa: { question: string; evidence: string[]; category: number }[]
}

interface Turn {
  speaker: string
  text: string
  dia_id: string
  blip_caption?: string
}

/** Questions that have no answer. */
const ADVERSARIAL = 5
const DEVELOPED_WITH = 5
const BUDGETS = [4000, 8000, 20_000]

const [file] = process.argv.slice(2)
if (file === undefined) {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
} else await measure(JSON.parse(readFileSync(file, 'utf8')))

async function measure(samples: Sample[]): Promise<void> {
  const place = mkdtempSync(join(tmpdir(), 'cortext-locomo-'))
  try {
    const found = []
    for (const [at, sample] of samples.entries()) found.push(await ranksOf(join(place, String(at)), sample))
    const [known, unknown] = [found.slice(0, DEVELOPED_WITH).flat(), found.slice(DEVELOPED_WITH).flat()]
    report('conversations 1 to 5', known)
    report('conversations 6 to 10', unknown)
    report('all', [...known, ...unknown])
    process.stdout.write('\n')
    await contexts(samples)
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function report(name: string, ranks: readonly number[]): void {
  const within = (most: number) =>
    `${((100 * ranks.filter((rank) => rank < most).length) / ranks.length).toFixed(1)} %`
  const counted = `${ranks.length} questions`.padStart(15)
  process.stdout.write(`${name.padEnd(22)} ${counted}   any@1 ${within(1)}   any@5 ${within(5)}\n`)
}

/**
 * All of a talk as one conversation: which part of the messages that hold the evidence is in its context, and in one that
 * is built about the question; beside the newest messages and a random choice of as many tokens.
 */
async function contexts(samples: readonly Sample[]): Promise<void> {
  const tokenizer = await o200k()
  const kinds = ['context', 'newest', 'random', 'about'] as const
  for (const [name, some] of [
    ['conversations 1 to 5', samples.slice(0, DEVELOPED_WITH)],
    ['conversations 6 to 10', samples.slice(DEVELOPED_WITH)],
  ] as const)
    for (const budget of BUDGETS) {
      const kept = { context: [0, 0], newest: [0, 0], random: [0, 0], about: [0, 0] }
      for (const { conversation, qa } of some) {
        const { messages, places } = asOne(conversation)
        const built = (about?: string) =>
          buildContext({
            ...{ messages, budget, tokenizer, record: 'r', project: 'p', tools: {} },
            about: about === undefined ? undefined : { question: about, relevance: relevanceOf },
            block: (history) => `[RESUMED CONVERSATION]\nHistory: ${history}\n[END RESUMED CONTEXT]`,
          }).text
        const texts = {
          context: built(),
          newest: filled(messages.toReversed(), budget, tokenizer),
          random: filled(shuffled(messages), budget, tokenizer),
        }
        for (const { question, evidence, category } of qa) {
          const ids = evidence.flatMap((one) => [...one.matchAll(/D\d+:\d+/g)].map(([id]) => id))
          const sought = ids
            .flatMap((id) => places.get(id) ?? [])
            .map((place) => `${messages[place]!.content}`)
          if (category === ADVERSARIAL || sought.length === 0) continue
          const about = built(question)
          for (const kind of kinds) {
            const text = kind === 'about' ? about : texts[kind]
            kept[kind][0]! += sought.filter((one) => text.includes(one)).length
            kept[kind][1]! += sought.length
          }
        }
      }
      const parts = kinds.map((kind) => `${kind} ${((100 * kept[kind][0]!) / kept[kind][1]!).toFixed(1)} %`)
      process.stdout.write(`${name.padEnd(22)} ${`${budget} tokens`.padStart(15)}   ${parts.join('   ')}\n`)
    }
}

function asOne(conversation: Sample['conversation']): { messages: Message[]; places: Map<string, number> } {
  const messages: Message[] = []
  const places = new Map<string, number>()
  const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key))
  const numbers = sessions.map((key) => Number(key.slice(8))).sort((a, b) => a - b)
  let first = ''
  for (const number of numbers) {
    const turns = conversation[`session_${number}`] as Turn[]
    first ||= turns[0]?.speaker ?? ''
    for (const { speaker, text, blip_caption: caption, dia_id } of turns) {
      places.set(dia_id, messages.length)
      messages.push({
        ...{
          id: `m${messages.length}`,
          role: speaker === first ? 'user' : 'assistant',
          seq: messages.length,
        },
        ...{ content: `${speaker}: ${text}${caption === undefined ? '' : ` [shared ${caption}]`}` },
        timestamp: timeOf(String(conversation[`session_${number}_date_time`])),
      })
    }
  }
  return { messages, places }
}

function filled(messages: readonly Message[], budget: number, tokenizer: Tokenizer): string {
  let left = budget
  const taken: string[] = []
  for (const { content } of messages) {
    left -= tokenizer.count(`### User\n${content}\n\n`)
    if (left < 0) break
    taken.push(`${content}`)
  }
  return taken.join('\n\n')
}

/** The same each time. */
function shuffled(messages: readonly Message[]): Message[] {
  let state = 7
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state
  }
  return messages
    .map((message) => ({ message, key: next() }))
    .sort((a, b) => a.key - b.key)
    .map(({ message }) => message)
}

/** For each question, how many conversations come before the first right one. */
async function ranksOf(root: string, { conversation, qa }: Sample): Promise<number[]> {
  mkdirSync(join(root, '.workspace'), { recursive: true })
  writeFileSync(join(root, '.workspace/config.json'), '{}\n')
  execFileSync('git', ['init', '--quiet', root])
  for (const [key, turns] of Object.entries(conversation)) {
    const [, number] = /^session_(\d+)$/.exec(key) ?? []
    if (number !== undefined) write(root, number, turns as Turn[], String(conversation[`${key}_date_time`]))
  }
  const ws = openWorkspace({ ...currentEnvironment(), cwd: root })
  const ranks: number[] = []
  for (const { question, evidence, category } of qa)
    if (category !== ADVERSARIAL && evidence.length > 0) ranks.push(await rankOf(ws, question, evidence))
  return ranks
}

async function rankOf(ws: Workspace, question: string, evidence: readonly string[]): Promise<number> {
  const right = new Set(evidence.flatMap((ids) => [...ids.matchAll(/D(\d+):/g)].map(([, number]) => number)))
  const { found = [] } = (await searchConversations(ws, question)) ?? {}
  const place = found.findIndex(({ candidate }) =>
    right.has(String(Number(candidate.session.conversation_id.slice(0, 3)))),
  )
  return place === -1 ? Number.POSITIVE_INFINITY : place
}

/** A session as a conversation on disk: the first who speaks is the user. */
function write(root: string, number: string, turns: readonly Turn[], date: string): void {
  const id = `${number.padStart(3, '0')}-brainstorm-talk`
  const folder = join(root, 'conversations/2023-01-01', id, '.session')
  const time = timeOf(date)
  const lines = turns.map(({ speaker, text, blip_caption: caption }, seq) => ({
    ...{ id: `${number}-${seq}`, role: speaker === turns[0]!.speaker ? 'user' : 'assistant' },
    ...{
      content: `${speaker}: ${text}${caption === undefined ? '' : ` [shared ${caption}]`}`,
      timestamp: time,
      seq,
    },
  }))
  const session = {
    ...{ version: '1.0', conversation_id: id, conversation_type: 'brainstorm', title: 'Talk' },
    ...{ status: 'paused', created_at: time, last_active: time, message_count: turns.length },
  }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'session.json'), JSON.stringify(session))
  writeFileSync(join(folder, 'messages.jsonl'), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
}

/** `1:56 pm on 8 May, 2023` */
function timeOf(date: string): string {
  const [, clock, day] = /^(.*) on (.*)$/.exec(date) ?? []
  const time = new Date(`${day?.replace(',', '')} ${clock} UTC`)
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
}
