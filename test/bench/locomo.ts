// How much of what a question asks for is in the context of a long talk, measured with LoCoMo: conversations of two
// people over months, and questions with the messages that hold the answer. All of a talk is one conversation here. Beside
// the context: one that is built about the question, the newest messages, and a random choice of as many tokens. Chats 6
// to 10 are for acceptance, and nothing here reads them. Asserts nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildContext } from '../../src/context/build.ts'
import { o200k, type Tokenizer } from '../../src/context/tokens/index.ts'
import { relevanceOf } from '../../src/search/relevance.ts'
import type { Message } from '../../src/session/schema.ts'

const USAGE = `usage: npm run locomo -- <folder of Chat_1_*.json to Chat_5_*.json>
The data set is not part of this project (Maharana and others, 2024, "Evaluating Very Long-Term Conversational Memory of
LLM Agents"; CC BY-NC 4.0). The folder is data/locomo of the repository danny911kr/REALTALK on GitHub.`

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
const BUDGETS = [4000, 8000, 20_000]

const [folder] = process.argv.slice(2)
if (folder === undefined) {
  process.stderr.write(`${USAGE}\n`)
  process.exitCode = 2
} else {
  const files = readdirSync(folder).filter((name) => /^Chat_[1-5]_/.test(name))
  await contexts(files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8'))))
}

async function contexts(samples: readonly Sample[]): Promise<void> {
  const tokenizer = await o200k()
  const kinds = ['context', 'newest', 'random', 'about'] as const
  for (const budget of BUDGETS) {
    const kept = { context: [0, 0], newest: [0, 0], random: [0, 0], about: [0, 0] }
    for (const { conversation, qa } of samples) {
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
        const sought = ids.flatMap((id) => places.get(id) ?? []).map((place) => `${messages[place]!.content}`)
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
    process.stdout.write(`${`${budget} tokens`.padStart(15)}   ${parts.join('   ')}\n`)
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

/** `1:56 pm on 8 May, 2023` */
function timeOf(date: string): string {
  const [, clock, day] = /^(.*) on (.*)$/.exec(date) ?? []
  const time = new Date(`${day?.replace(',', '')} ${clock} UTC`)
  return (Number.isNaN(time.getTime()) ? new Date(0) : time).toISOString()
}
