import { textOf } from '../../shared/transcript/fields.ts'
import type { Line } from '../../shared/transcript/lines.ts'

/**
 * Puts lines in the order of the talk. The file's order can differ: 2.1.197 now and then writes an answer above its
 * prompt (observed). A record goes above a line that names it as its parent, or above a younger line whose parent has
 * not come yet. Its `seq` is then a little less than the `seq` of that line. Only earlier lines of the file decide a
 * `seq`, so it stays the same when the transcript grows. `isBefore` returns whether a record with a uuid comes before
 * the lines.
 */
export function inTalkOrder(lines: readonly Line[], isBefore: (uuid: string) => boolean): Line[] {
  const order = new TalkOrder(isBefore)
  for (const line of lines) order.add(line)
  return order.lines
}

/** The facts that decide the place of a line. */
interface Link {
  line: Line
  uuid: string
  /** Empty when the record has no parent. */
  parent: string
  /**
   * Milliseconds; NaN when the record has no time. For a record that waits for its parent: the time of its answer, if
   * the answer is later.
   */
  time: number
  /** True for an answer, and for a record that was answered. */
  answered: boolean
}

class TalkOrder {
  readonly lines: Line[] = []
  readonly #isBefore: (uuid: string) => boolean
  /** The uuid of each record so far → the uuid of its parent. */
  readonly #parents = new Map<string, string>()
  /** Records whose parent has not come yet. */
  #orphans: Link[] = []

  constructor(isBefore: (uuid: string) => boolean) {
    this.#isBefore = isBefore
  }

  add(line: Line): void {
    const link = linkOf(line)
    // A record that is written again counts only at its first place.
    if (link === undefined || this.#parents.has(link.uuid)) {
      this.lines.push(line)
      return
    }
    this.#parents.set(link.uuid, link.parent)
    const above = this.#orphans
      .filter((orphan) => this.#belongsAbove(link, orphan))
      .sort((a, b) => a.line.seq - b.line.seq)[0]
    if (above !== undefined) link.line = { ...line, seq: this.#seqAbove(above.line) }
    this.lines.splice(above === undefined ? this.lines.length : this.lines.indexOf(above.line), 0, link.line)
    this.#settleOrphans(link)
  }

  /**
   * Whether a record goes above an orphan, which is a record whose parent has not come yet. The client may link an
   * answer to its prompt by records of its own, and write these last. Until these records come, the times decide: a
   * record's time says when it was made, not when it was written.
   */
  #belongsAbove(link: Link, orphan: Link): boolean {
    return (
      (orphan.parent === link.uuid || link.time <= orphan.time) &&
      !this.#isDescendant(link, orphan) &&
      !this.#isBefore(orphan.parent)
    )
  }

  #settleOrphans(link: Link): void {
    for (const orphan of this.#orphans) {
      if (orphan.parent === link.uuid) markAnswered(link, orphan)
      // The client's own record can be some milliseconds older than the prompt that it is linked to. So the time of the
      // answer counts for that record too.
      else if (link.answered && !orphan.answered && this.#isDescendant(link, orphan))
        markAnswered(orphan, link)
    }
    this.#orphans = this.#orphans.filter((orphan) => orphan.parent !== link.uuid)
    if (link.parent !== '' && !this.#parents.has(link.parent)) this.#orphans.push(link)
  }

  #isDescendant(link: Link, other: Link): boolean {
    const seen = new Set<string>()
    // Damaged links may form a circle.
    for (let uuid = link.parent; uuid !== '' && !seen.has(uuid); uuid = this.#parents.get(uuid) ?? '') {
      if (uuid === other.uuid) return true
      seen.add(uuid)
    }
    return false
  }

  /**
   * Returns a `seq` between that of `line` and that of the line above it. The result is also larger than the next lower
   * whole number, which may be the `seq` of another line.
   */
  #seqAbove(line: Line): number {
    const before = this.lines[this.lines.indexOf(line) - 1]
    const lowest = Math.ceil(line.seq) - 1
    return (Math.max(before?.seq ?? lowest, lowest) + line.seq) / 2
  }
}

function markAnswered(link: Link, by: Link): void {
  link.time = Math.max(link.time, by.time)
  link.answered ||= by.answered
}

function linkOf(line: Line): Link | undefined {
  if (line.content.kind !== 'record') return undefined
  const { uuid, parentUuid, timestamp, type } = line.content.record
  if (textOf(uuid) === '') return undefined
  return {
    line,
    uuid: textOf(uuid),
    parent: textOf(parentUuid),
    time: Date.parse(textOf(timestamp)),
    answered: type === 'assistant',
  }
}
