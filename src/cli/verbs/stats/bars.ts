import type { Stats, Sum } from '../../../extras/stats.ts'
import { wrapLine } from '../../../text/wrap.ts'

const MIN_WIDTH = 40
/** A part has at most this many rows: the newest weeks, or the largest types or clients. */
const MAX_ROWS = 12
const MAX_LABEL = 16

/** Lines of counts, with bars for the messages. A line has at most `width` columns, or 40 if `width` is smaller. */
export function statsLines({ total, weeks, types, clients }: Stats, width: number): string[] {
  const room = Math.max(width, MIN_WIDTH)
  return [
    ...wrapLine(
      `${counted(total.conversations, 'conversation')}, ${counted(total.messages, 'message')}, about ${counted(total.tokens, 'token')}`,
      room,
    ),
    ...part('Week of', Object.entries(weeks).slice(-MAX_ROWS), room),
    ...part('Type', Object.entries(types).slice(0, MAX_ROWS), room),
    ...part('Client', Object.entries(clients).slice(0, MAX_ROWS), room),
  ]
}

function counted(count: number, what: string): string {
  return `${short(count)} ${what}${count === 1 ? '' : 's'}`
}

function part(title: string, rows: readonly [string, Sum][], width: number): string[] {
  if (rows.length === 0) return []
  const largest = Math.max(1, ...rows.map(([, { messages }]) => messages))
  const most = Math.min(MAX_LABEL, width - NUMBERS_WIDTH)
  const label = Math.max(title.length, ...rows.map(([name]) => labelOf(name, most).length))
  const room = Math.min(width - label - NUMBERS_WIDTH, MAX_BAR)
  return [
    '',
    [title.padEnd(label), ' '.repeat(room), heads()].join('  ').trimEnd(),
    ...rows.map(([name, sum]) =>
      [labelOf(name, most).padEnd(label), bar(sum.messages / largest, room), numbers(sum)].join('  '),
    ),
  ]
}

/** Widths of the columns of numbers. */
const COLUMNS = [5, 8, 7]
/** The width of all columns of numbers together, including the gaps before and between them. */
const NUMBERS_WIDTH = COLUMNS.reduce((sum, width) => sum + width + 1, 0) - 1 + 4
const MAX_BAR = 60

function heads(): string {
  return ['conv.', 'messages', 'tokens'].map((head, column) => head.padStart(COLUMNS[column]!)).join(' ')
}

function numbers({ conversations, messages, tokens }: Sum): string {
  return [conversations, messages, tokens]
    .map((count, column) => short(count).padStart(COLUMNS[column]!))
    .join(' ')
}

/** Replaces what is not ASCII in a name from a record, so that each character takes one column. Cuts a long name. */
function labelOf(name: string, most: number): string {
  const plain = name.replace(/[^ -~]/gu, '?')
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}~`
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws a bar in steps of an eighth of a column: at least one eighth for a ratio above zero. */
function bar(ratio: number, room: number): string {
  const eighths = Math.max(ratio > 0 ? 1 : 0, Math.round(ratio * room * 8))
  return ('█'.repeat(eighths >> 3) + EIGHTHS[eighths & 7]!).padEnd(room)
}

/** `950`, `12k`, `3.4M`: at most five characters up to a quadrillion. */
function short(count: number): string {
  for (const [unit, sign] of UNITS)
    if (count >= unit) {
      const value = count / unit
      return `${value < 10 ? Math.floor(value * 10) / 10 : Math.floor(value)}${sign}`
    }
  return `${count}`
}

const UNITS = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const
