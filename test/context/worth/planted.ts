import type { Message } from '../../../src/session/schema.ts'
import { codeOf, NOISE } from './noise.ts'

/** A long conversation into which facts were planted: whether a context still holds them is what it is worth. */
export interface Planted {
  messages: Message[]
  facts: { kind: 'task' | 'constraint' | 'decision' | 'error' | 'next'; mark: string }[]
}

type Random = () => number

/**
 * The same for the same seed: `turns` of person and agent, with tools, among small talk and real code. Of the sentences
 * `noise` (0 to 1) are prose that sounds like constraints and decisions, and is none.
 */
export function plantedConversation(
  seed: number,
  turns: number,
  { noise, words }: { noise: number; words: Wording },
): Planted {
  const random = generator(seed)
  const facts: Planted['facts'] = []
  const mark = (kind: Planted['facts'][number]['kind']): string => {
    const name = `${pick(random, BIRDS)}-${100 + Math.floor(random() * 900)}${facts.length}`
    facts.push({ kind, mark: name })
    return name
  }
  const task = pick(random, TASKS)(mark('task'))
  const planted = new Map<string, string[]>()
  const plant = (role: string, turn: number, sentence: string): void => {
    planted.set(`${role} ${turn}`, [...(planted.get(`${role} ${turn}`) ?? []), sentence])
  }
  const somewhere = (): number => 1 + Math.floor(random() * (turns - 3))
  for (let n = 0; n < 3; n += 1)
    plant('user', somewhere(), pick(random, words.constraints)(mark('constraint')))
  for (let n = 0; n < 2; n += 1) plant('user', somewhere(), pick(random, words.decisions)(mark('decision')))
  for (let n = 0; n < 2; n += 1)
    plant('assistant', somewhere(), pick(random, words.decisions)(mark('decision')))
  const failing = new Map([[somewhere(), mark('error')]])
  plant('assistant', turns - 1, pick(random, words.next)(mark('next')))

  const messages: Message[] = []
  const add = (more: Partial<Message>): void => {
    const number = messages.length
    const timestamp = new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString()
    messages.push({ id: `m${number}`, role: 'user', content: '', timestamp, native_session: 's', ...more })
  }
  for (let turn = 0; turn < turns; turn += 1) {
    add({ content: turn === 0 ? task : talk(random, noise, 1 + random() * 3, planted.get(`user ${turn}`)) })
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
        content: `${code(random)}\nerror: ${error} is not defined\nmake: *** exit 2`,
      })
    }
    add({
      role: 'assistant',
      content: talk(random, noise, 2 + random() * 8, planted.get(`assistant ${turn}`)),
    })
  }
  return { messages, facts }
}

const BIRDS = [
  'kestrel',
  'heron',
  'plover',
  'siskin',
  'dunlin',
  'avocet',
  'godwit',
  'linnet',
  'merlin',
  'osprey',
]

const TASKS: readonly ((mark: string) => string)[] = [
  (mark) => `/workspace.debug The export to ${mark} loses rows`,
  (mark) => `Please migrate the billing export to ${mark}. The old one is in legacy/.`,
  (mark) => `I want a small service that mirrors ${mark} every night, with a report.`,
]

type Said = (mark: string) => string

export interface Wording {
  constraints: readonly Said[]
  decisions: readonly Said[]
  next: readonly Said[]
}

/** As people say it. The rules were made with these before one's eyes. */
export const KNOWN_WORDS: Wording = {
  constraints: [
    (mark) => `It must keep working with ${mark}.`,
    (mark) => `Please don't touch ${mark}.`,
    (mark) => `Whatever happens, never rename ${mark}.`,
    (mark) => `The budget for this is ${mark}, not more.`,
    (mark) => `I'd rather not depend on ${mark}.`,
    (mark) => `Keep in mind that ${mark} is off limits.`,
    (mark) => `Only ${mark} may be used for that.`,
    (mark) => `We have to support ${mark}.`,
    (mark) => `Make sure ${mark} stays green.`,
    (mark) => `No new packages besides ${mark}, please.`,
    (mark) => `${mark} is given, we can't change that.`,
    (mark) => `Careful with ${mark}: customers rely on it.`,
  ],
  decisions: [
    (mark) => `Let's go with ${mark}.`,
    (mark) => `We decided on ${mark}.`,
    (mark) => `Agreed: ${mark} it is.`,
    (mark) => `Decision: ${mark}.`,
    (mark) => `I'm choosing ${mark} over the alternatives.`,
    (mark) => `We will store it in ${mark}.`,
    (mark) => `So ${mark} wins.`,
    (mark) => `The plan is ${mark}, then.`,
    (mark) => `I opted for ${mark}, because it is simpler.`,
  ],
  next: [
    (mark) => `Next I wire up ${mark}.`,
    (mark) => `What remains is ${mark}.`,
    (mark) => `Tomorrow we continue with ${mark}.`,
  ],
}

/** Written when the rules were done, which were not changed after. */
export const HELD_OUT_WORDS: Wording = {
  constraints: [
    (mark) => `Stay on this side of ${mark}.`,
    (mark) => `Mind ${mark}, it is brittle.`,
    (mark) => `Nothing beyond ${mark}, okay?`,
    (mark) => `${mark} has the last word here.`,
    (mark) => `I want ${mark} to come out the way it went in.`,
    (mark) => `You may ignore everything except ${mark}.`,
    (mark) => `Legal insists on ${mark}.`,
  ],
  decisions: [
    (mark) => `Fine, ${mark}.`,
    (mark) => `Right, ${mark} then.`,
    (mark) => `${mark} gets my vote.`,
    (mark) => `I switched to ${mark} this morning.`,
    (mark) => `${mark} it shall be.`,
    (mark) => `Both of us like ${mark} best.`,
  ],
  next: [(mark) => `Open: ${mark}.`, (mark) => `Up for Monday: ${mark}.`],
}

/** What is said most of the time. */
const SMALL_TALK: readonly ((thing: string, other: string) => string)[] = [
  (thing, other) => `Can you look at how the ${thing} gets its ${other}?`,
  (thing) => `I see, so that is what the ${thing} does.`,
  (thing, other) => `What about the ${thing} in the ${other}, is it still read anywhere?`,
  (thing, other) => `The ${thing} reads the ${other} twice, once at the start and once at the end.`,
  (thing, other) => `Here the ${thing} is built from the ${other}, and the result is kept in a map.`,
  (thing) => `Show me the part with the ${thing} again.`,
  (thing, other) =>
    `I went through the ${thing}; it is about two hundred lines, most of them for the ${other}.`,
  (thing) => `Thanks, the ${thing} looks fine to me.`,
  (thing, other) => `There are three places where the ${thing} and the ${other} meet.`,
  (thing, other) => `The ${thing} came from the old code, and the ${other} was added in spring.`,
  (thing) => `I ran it with a larger ${thing} and the numbers are about the same.`,
  (thing, other) => `Interesting: the ${other} is sorted before the ${thing} sees it.`,
]
const THINGS = [
  ...['parser', 'queue', 'cache', 'report', 'index', 'worker', 'schedule', 'ledger', 'importer', 'mailer'],
  ...['header', 'timeout', 'batch', 'cursor', 'template', 'router', 'snapshot', 'pool', 'filter', 'account'],
]

function talk(random: Random, noise: number, sentences: number, planted: readonly string[] = []): string {
  const said = Array.from({ length: Math.floor(sentences) }, () =>
    random() < noise
      ? pick(random, NOISE)
      : pick(random, SMALL_TALK)(pick(random, THINGS), pick(random, THINGS)),
  )
  for (const one of planted) said.splice(Math.floor(random() * (said.length + 1)), 0, one)
  return said.join(' ')
}

function code(random: Random): string {
  return codeOf(5 + Math.floor(random() * 60), Math.floor(random() * 1000))
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
