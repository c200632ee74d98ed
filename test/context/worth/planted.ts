import type { Message } from '../../../src/session/schema.ts'
import { ENGLISH } from './languages/english.ts'
import type { Language, Said, Wording } from './languages/language.ts'

/** A long conversation into which facts were planted: whether a context still holds them is what it is worth. */
export interface Planted {
  messages: Message[]
  facts: Fact[]
}

export interface Fact {
  kind: 'task' | 'constraint' | 'decision' | 'error' | 'next'
  mark: string
  /** Who said it: the person, the agent or a tool. */
  by: Message['role']
  /** The sentence, with `…` for the mark. */
  said: string
}

export interface Speech {
  /** The part of the sentences (0 to 1) that are prose which sounds like constraints and decisions, and is none. */
  noise: number
  words: keyof Language['wordings']
  language: Language
  marks: Marks
}

/** Latin marks are names like `kestrel-1230`; a language's own are names in its own script. */
type Marks = 'latin' | 'own'

type Random = () => number

/**
 * The same for the same seed, and in each language sentence for sentence: `turns` of person and agent, with tools, among
 * small talk and real code.
 */
export function plantedConversation(seed: number, turns: number, speech: Speech): Planted {
  const { language, marks } = speech
  const { tasks, wordings } = language
  const words: Wording = wordings[speech.words]
  const random = generator(seed)
  const facts: Fact[] = []
  const { birds, markOf } = marks === 'own' ? language : ENGLISH
  const fact = (kind: Fact['kind'], by: Fact['by'], say: Said): string => {
    const mark = markOf(pick(random, birds), `${100 + Math.floor(random() * 900)}${facts.length}`)
    facts.push({ kind, mark, by, said: say('…') })
    return say(mark)
  }
  const task = fact('task', 'user', pick(random, tasks))
  const planted = new Map<string, string[]>()
  const plant = (
    kind: Fact['kind'],
    by: 'user' | 'assistant',
    turn: number,
    sayings: readonly Said[],
  ): void => {
    const sentence = fact(kind, by, pick(random, sayings))
    planted.set(`${by} ${turn}`, [...(planted.get(`${by} ${turn}`) ?? []), sentence])
  }
  const somewhere = (): number => 1 + Math.floor(random() * (turns - 3))
  for (let n = 0; n < 3; n += 1) plant('constraint', 'user', somewhere(), words.constraints)
  for (let n = 0; n < 2; n += 1) plant('decision', 'user', somewhere(), words.decisions)
  for (let n = 0; n < 2; n += 1) plant('decision', 'assistant', somewhere(), words.decisions)
  const failing = new Map([[somewhere(), fact('error', 'tool', (mark) => `error: ${mark} is not defined`)]])
  plant('next', 'assistant', turns - 1, words.next)

  const messages: Message[] = []
  const add = (more: Partial<Message>): void => {
    const number = messages.length
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
    messages.push({ id: `m${number}`, role: 'user', content: '', timestamp, native_session: 's', ...more })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    add({ content: turn === 0 ? task : talk(random, speech, 1 + random() * 3, planted.get(`user ${turn}`)) })
    const tools = Math.floor(random() * 3)
    for (let n = 0; n < tools; n += 1) {
      const id = `c${messages.length}`
      add({
        role: 'assistant',
        content: '',
        tool_calls: [{ id, name: 'Read', arguments: { file_path: `src/f${messages.length}.ts` } }],
      })
      add({ role: 'tool', tool_call_id: id, tool_name: 'Read', content: code(random) })
    }
    const error = failing.get(turn)
    if (error !== undefined) {
      add({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: `e${turn}`, name: 'Bash', arguments: { command: `make ${turn}` } }],
      })
      add({
        role: 'tool',
        tool_call_id: `e${turn}`,
        tool_name: 'Bash',
        is_error: true,
        content: `${code(random)}\n${error}\nmake: *** exit 2`,
      })
    }
    add({
      role: 'assistant',
      content: talk(random, speech, 2 + random() * 8, planted.get(`assistant ${turn}`)),
    })
  }
  return { messages, facts }
}

function talk(
  random: Random,
  { noise, language }: Speech,
  sentences: number,
  planted: readonly string[] = [],
): string {
  const { smallTalk, things } = language
  const said = Array.from({ length: Math.floor(sentences) }, () =>
    random() < noise
      ? pick(random, language.noise)
      : pick(random, smallTalk)(pick(random, things), pick(random, things)),
  )
  for (const one of planted) said.splice(Math.floor(random() * (said.length + 1)), 0, one)
  return said.join(language.join)
}

/** What tools answer with: lines of made-up code. */
function code(random: Random): string {
  const lines = 5 + Math.floor(random() * 60)
  const from = Math.floor(random() * 1000)
  return Array.from({ length: lines }, (_, n) => {
    const place = from + n
    return place % 5 === 0
      ? `export function step${place}(input: Row[]): Row[] {`
      : `  const value${place} = input.filter((row) => row.part === ${place * 7} && row.size > ${place % 13})`
  }).join('\n')
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

/** Mulberry32. */
function generator(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}
