import type { Said } from './player.ts'

/** A turn of a transcript and its conversation, by this test's own account. */
export interface Turn extends Said {
  number: number
  /** The client and id of its native session. */
  session: string
  /** Path of its conversation; undefined without one. */
  conversation: string | undefined
  /** False if the turn may be missing: it only stops, or it was cut off before a hook saw it. */
  sure: boolean
  /** True after a later hook or verb has succeeded. */
  seen: boolean
  /** The turn only stops or resumes, so it belongs to no conversation. A turn whose stop failed does belong. */
  control: boolean
  /** The turn belonged to no conversation, and its transcript is gone. */
  gone?: true
  /** Other sessions took turns at the same time. */
  atOnce: boolean
}

/** A message as the program prints it. */
export interface Given {
  id: string
  role: string
  content: unknown
  event?: string
}

/** All turns of one story. This class shares no code with the program. */
export class Talk {
  readonly turns: Turn[] = []

  saidIn(conversation: string): Turn[] {
    return this.turns.filter((turn) => turn.conversation === conversation)
  }

  of(session: string): Turn[] {
    return this.turns.filter((turn) => turn.session === session)
  }

  /**
   * Returns the faults of a conversation with these messages. Messages in `aside` were pruned: they count as present,
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

  /** Checks the order within each session, and between sessions that did not overlap. */
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
