import type { ReadReport } from '../../client.ts'
import type { Line } from './lines.ts'

/** Where the bytes of a stretch went: each line is entered once. */
export class Account {
  #bytes = 0
  readonly #kept = { records: 0, bytes: 0 }
  readonly #derived = { records: 0, bytes: 0 }
  // Maps, because the kinds are words from the transcript, and `__proto__` is one.
  readonly #dropped = new Map<string, { records: number; bytes: number }>()
  readonly #unknown = new Map<string, { records: number; bytes: number }>()
  readonly #unreadable: { line: number; bytes: number }[] = []

  keep(line: Line): void {
    this.#enter(this.#kept, line)
  }

  derive(line: Line): void {
    this.#enter(this.#derived, line)
  }

  drop(rule: string, line: Line): void {
    this.#enter(entry(this.#dropped, rule), line)
  }

  unknown(kind: string, line: Line): void {
    this.#enter(entry(this.#unknown, kind), line)
  }

  unreadable(line: Line): void {
    this.#bytes += line.bytes.length
    this.#unreadable.push({ line: line.number, bytes: line.bytes.length })
  }

  report(): ReadReport {
    return {
      bytes: this.#bytes,
      kept: this.#kept,
      derived: this.#derived,
      dropped: Object.fromEntries(this.#dropped),
      unknown: Object.fromEntries(this.#unknown),
      unreadable: this.#unreadable,
    }
  }

  #enter(sum: { records: number; bytes: number }, line: Line): void {
    sum.records++
    sum.bytes += line.bytes.length
    this.#bytes += line.bytes.length
  }
}

function entry(sums: Map<string, { records: number; bytes: number }>, name: string) {
  let sum = sums.get(name)
  if (sum === undefined) sums.set(name, (sum = { records: 0, bytes: 0 }))
  return sum
}
