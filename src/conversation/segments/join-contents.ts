import type { ReadReport } from '../../clients/contract/reading.ts'
import type { SegmentContent } from './segment-content.ts'

/**
 * Joins the contents of a segment's pieces: adds up their counts and reports, and takes the rest from the last piece.
 */
export function joinContents(before: readonly SegmentContent[], last: SegmentContent): SegmentContent {
  const all = [...before, last]
  return {
    ...last,
    taken: sum(all.map(({ taken }) => taken)),
    redacted: sumByName(
      all.map(({ redacted }) => redacted),
      (a, b) => a + b,
    ),
    report: joinReports(all.map(({ report }) => report)),
  }
}

function joinReports(reports: readonly ReadReport[]): ReadReport {
  const missing = [...new Set(reports.flatMap((report) => report.missing ?? []))]
  return {
    bytes: sum(reports.map(({ bytes }) => bytes)),
    kept: reports.map(({ kept }) => kept).reduce(add),
    derived: reports.map(({ derived }) => derived).reduce(add),
    dropped: sumByName(
      reports.map(({ dropped }) => dropped),
      add,
    ),
    unknown: sumByName(
      reports.map(({ unknown }) => unknown),
      add,
    ),
    unreadable: reports.flatMap(({ unreadable }) => unreadable),
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
  counts: readonly Readonly<Record<string, T>>[],
  plus: (a: T, b: T) => T,
): Record<string, T> {
  // A Map, because the names are words from a transcript, and `__proto__` may be one of them.
  const sums = new Map<string, T>()
  for (const [name, value] of counts.flatMap((one) => Object.entries(one))) {
    const before = sums.get(name)
    sums.set(name, before === undefined ? value : plus(before, value))
  }
  return Object.fromEntries(sums)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
