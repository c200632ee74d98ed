import type { Said } from './player.ts'

/** A turn as it was written into a transcript, and the conversation that it was said in, by this test's own account. */
export interface Turn extends Said {
  number: number
  /** The client and id of its native session. */
  session: string
  /** The path of its conversation; undefined where it belongs to none. */
  conversation: string | undefined
  /** False: it may be there or not, as a turn that only stops, or one that was cut off before any hook saw it. */
  sure: boolean
  /** A hook or verb that succeeded came after it. */
  seen: boolean
  /** It only stops or resumes, so it belongs to nothing, but a stop that failed is a turn like others. */
  control: boolean
  /** It was said in no conversation, and the transcript that held it is gone: no copy of it was made. */
  gone?: true
  /** Others were speaking at the same time. */
  atOnce: boolean
}

/** A message as the program gives it back. */
export interface Given {
  id: string
  role: string
  content: unknown
  event?: string
}

/** All that was written into the transcripts of one story. It shares no code with the program. */
export class Talk {
  readonly turns: Turn[] = []

  saidIn(conversation: string): Turn[] {
    return this.turns.filter((turn) => turn.conversation === conversation)
  }

  of(session: string): Turn[] {
    return this.turns.filter((turn) => turn.session === session)
  }

  /**
   * What is wrong with a conversation that reads like this. `aside` holds what pruning moved out: it counts as there,
   * but not for the order.
   */
  faultsOf(
    conversation: string,
    given: readonly Given[],
    { aside, inOrder }: { aside: readonly Given[]; inOrder: boolean },
  ): string[] {
    const said = given.flatMap((message) => this.#recognise(conversation, message))
    const moved = aside.flatMap((message) => this.#recognise(conversation, message))
    const wrong = [...said, ...moved].flatMap(({ wrong }) => (wrong === undefined ? [] : [wrong]))
    const there = said.flatMap(({ part }) => (part === undefined ? [] : [part]))
    const all = new Set([...there, ...moved.flatMap(({ part }) => part ?? [])])
    const missing = this.saidIn(conversation)
      .filter(({ sure }) => sure)
      .flatMap((turn) => [`${turn.number}p`, `${turn.number}a`])
      .filter((part) => !all.has(part))
    const twice = there.filter((part, index) => there.indexOf(part) !== index)
    return [
      ...wrong,
      ...(missing.length > 0 ? [`missing: ${missing.join(' ')}`] : []),
      ...(twice.length > 0 ? [`twice: ${twice.join(' ')}`] : []),
      ...(inOrder ? this.#disorder([...new Set(there)]) : []),
    ]
  }

  #recognise(conversation: string, { role, content, event }: Given): { part?: string; wrong?: string }[] {
    if (event !== undefined || (role !== 'user' && role !== 'assistant')) return []
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    const [, digits, part] = CONTROL.test(text) ? [] : (MARK.exec(text) ?? [])
    if (digits === undefined) return []
    const turn = this.turns.find(({ number }) => number === Number(digits))
    if (turn === undefined) return [{ wrong: `nobody said: ${text.slice(0, 200)}` }]
    if (turn.control) return []
    if (text !== (part === 'p' ? turn.prompt : turn.answer))
      return [{ wrong: `not word for word, ${digits}${part}: ${JSON.stringify(text.slice(0, 300))}` }]
    if (turn.conversation !== conversation)
      return [{ wrong: `${digits}${part} of ${turn.conversation ?? 'no conversation'} is here too` }]
    return [{ part: `${digits}${part}` }]
  }

  /** The order within each session, and between those that did not speak at the same time. */
  #disorder(there: readonly string[]): string[] {
    const place = (part: string) => Number.parseInt(part, 10) * 2 + (part.endsWith('a') ? 1 : 0)
    const turnOf = (part: string) => this.turns.find(({ number }) => number === Number.parseInt(part, 10))!
    const comparable = (one: string, other: string) => {
      const [a, b] = [turnOf(one), turnOf(other)]
      return a.session === b.session || (!a.atOnce && !b.atOnce)
    }
    return there.flatMap((part, index) =>
      there
        .slice(index + 1)
        .filter((later) => place(later) < place(part) && comparable(part, later))
        .slice(0, 1)
        .map((later) => `${part} stands before ${later}`),
    )
  }
}

const CONTROL = /^\/workspace\.(?:resume|stop-conversation)/
const MARK = /\bt(\d+)([pa])\b/
