import { hostname, release } from 'node:os'

/** Longer strings (tool descriptions, system prompts) say nothing that a reader looks at. */
const LONGEST = 200

const UUID = /(?<![0-9a-f])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])/g
/** `toolu_…`, `msg_…`, `ses_…`: the prefix says what it is, and stays. */
const PREFIXED = /\b([a-z]{3,8}_)[0-9A-Za-z]{16,}\b/g
/** Call ids of Gemini CLI hold the time of the call. */
const TIMED = /(?<=_)1\d{12}_\d+\b/g
/** Hashes, and the short random ids of Claude Code's subagents. */
const HEX = /\b(?:[0-9a-f]{64}|[0-9a-f]{40}|[0-9a-f]{32}|a[0-9a-f]{16})\b/g
/** The short random ids of Pi, by their keys. */
const SHORT = /^[0-9a-f]{8}$/
const OF_ID = /id$/i
const TIME = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)/g
const ONLY_TIME = new RegExp(`^${TIME.source}$`)
/** Measured times of the machine, by their keys and in texts. */
const MEASURED = /duration|elapsed|latency|ttft|ms$|^nanos$|^create_time$|^(?:started|completed)_at$/i
const MEASURED_TEXT = /(?<=\b\w*duration\w*: )\d+/g
const CHUNK = /(?<=\bChunk ID: )[0-9a-f]{6}\b|(?<=\bWall time: )[\d.]+(?= seconds)/g
/** What Codex CLI puts before a summary is longer than what is kept of a text. */
const LONG_BEGIN = /^(Another language model started to solve this problem)[^\n]*:\n/
/** Keys of names of random words, and of ids that look like none. */
const RANDOM = /^(slug|runId|process_id)$/

const BEGIN = Date.UTC(2026, 0, 1)
const DAY = [{ weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' }, {}] as const

/**
 * Makes the recordings of one session (its transcript first, then its side files) the same in every run: paths by the
 * pairs given, ids by the order in which they appear, each time by the line on which the record that it belongs to
 * stood first.
 */
export class Scrub {
  readonly #constants: (readonly [string, string])[]
  readonly #ids = new Map<string, string>()
  readonly #counts = new Map<string, number>()
  readonly #times = new Map<string, number>()
  #lines = 0

  constructor(constants: readonly (readonly [string, string])[]) {
    const days = DAY.map((format) =>
      [new Date(), new Date(BEGIN)].map((day) => day.toLocaleDateString('en-US', format)),
    )
    const today = new Date().toISOString().slice(0, 10)
    this.#constants = [
      ...constants,
      ...days.map(([now, then]) => [now!, then!] as const),
      [today, '2026-01-01'],
      [hostname(), 'host'],
      [release(), '6.0.0'],
    ]
  }

  /** A file of JSON lines; a line that is none is a text. */
  lines(content: string): string {
    return content
      .split('\n')
      .map((line) => {
        this.#lines++
        const value = parsed(line)
        return value === undefined
          ? this.text(line)
          : JSON.stringify(this.#value(value, '', `line ${this.#lines}`))
      })
      .join('\n')
  }

  text(value: string): string {
    let text = value
      .replace(LONG_BEGIN, '$1:\n')
      .replace(TIME, new Date(BEGIN).toISOString())
      .replace(MEASURED_TEXT, '1')
      .replace(CHUNK, '0')
    for (const [from, to] of this.#constants) text = text.replaceAll(from, to)
    return text
      .replace(UUID, (id) => this.#id(id, 'uuid', (n) => `${pad(n, 8)}-0000-4000-8000-${pad(n, 12)}`))
      .replace(PREFIXED, (id, prefix: string) => this.#id(id, prefix, (n) => prefix + pad(n, 24)))
      .replace(TIMED, (id) => this.#id(id, 'timed', (n) => `${BEGIN}_${n}`))
      .replace(HEX, (id) => this.#id(id, `hex ${id.length}`, (n) => hex(id.length, n)))
  }

  #value(value: unknown, key: string, owner: string): unknown {
    if (RANDOM.test(key)) return key
    if (typeof value === 'string' && OF_ID.test(key) && SHORT.test(value))
      return this.#id(value, 'short', (n) => pad(n, 8))
    if (typeof value === 'string')
      return ONLY_TIME.test(value) ? this.#time(owner).toISOString() : this.#cut(value)
    if (typeof value === 'number') return this.#number(value, key, owner)
    if (Array.isArray(value)) return value.map((one) => this.#value(one, key, owner))
    if (typeof value !== 'object' || value === null) return value
    const { uuid, id } = value as Record<string, unknown>
    const mine = typeof uuid === 'string' ? uuid : typeof id === 'string' ? id : owner
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [this.text(name), this.#value(one, name, mine)]),
    )
  }

  #number(value: number, key: string, owner: string): number {
    if (Number.isInteger(value) && value > 1.6e12 && value < 2.2e12) return this.#time(owner).getTime()
    return MEASURED.test(key) ? 1 : value
  }

  #cut(value: string): string {
    const text = this.text(value)
    return text.length > LONGEST ? `${text.slice(0, LONGEST)} … [cut by the recorder]` : text
  }

  #time(owner: string): Date {
    const line = this.#times.get(owner) ?? this.#lines
    this.#times.set(owner, line)
    return new Date(BEGIN + line * 1000)
  }

  #id(id: string, kind: string, make: (n: number) => string): string {
    const known = this.#ids.get(id)
    if (known !== undefined) return known
    const n = (this.#counts.get(kind) ?? 0) + 1
    const made = make(n)
    this.#counts.set(kind, n)
    this.#ids.set(id, made)
    // What is made stays as it is when it comes by again.
    this.#ids.set(made, made)
    return made
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // A line of a text file, or one that a kill has torn.
    return undefined
  }
}

function pad(n: number, width: number): string {
  return String(n).padStart(width, '0')
}

/** The ids of 17 digits are those that begin with an `a`. */
function hex(length: number, n: number): string {
  return length === 17 ? `a${pad(n, 16)}` : pad(n, length)
}
