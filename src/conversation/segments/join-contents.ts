import type { ReadReport } from '../../clients/contract/reading.ts'
import type { SegmentContent } from './segment-content.ts'

/** Joins the contents of two pieces of a segment: adds up their counts and reports, and takes the rest from the later. */
export function joinContents(before: SegmentContent, last: SegmentContent): SegmentContent {
  return {
    ...last,
    taken: before.taken + last.taken,
    redacted: sumByName(before.redacted, last.redacted, (a, b) => a + b),
    report: joinReports(before.report, last.report),
  }
}

function joinReports(before: ReadReport, last: ReadReport): ReadReport {
  const missing = [...new Set([...(before.missing ?? []), ...(last.missing ?? [])])]
  return {
    bytes: before.bytes + last.bytes,
    kept: add(before.kept, last.kept),
    derived: add(before.derived, last.derived),
    dropped: sumByName(before.dropped, last.dropped, add),
    unknown: sumByName(before.unknown, last.unknown, add),
    unreadable: [...before.unreadable, ...last.unreadable],
    ...(missing.length > 0 && { missing }),
  }
}

interface Count {
  records: number
  bytes: number
}

function add(a: Count, b: Count): Count {
  return { records: a.records + b.records, bytes: a.bytes + b.bytes }
}

function sumByName<T>(
  a: Readonly<Record<string, T>>,
  b: Readonly<Record<string, T>>,
  plus: (a: T, b: T) => T,
): Record<string, T> {
  // A Map, because the names are words from a transcript, and `__proto__` may be one of them.
  const sums = new Map(Object.entries(a))
  for (const [name, value] of Object.entries(b)) {
    const before = sums.get(name)
    sums.set(name, before === undefined ? value : plus(before, value))
  }
  return Object.fromEntries(sums)
}
