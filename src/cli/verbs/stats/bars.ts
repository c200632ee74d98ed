import type { Stats, Sum } from '../../../extras/stats.ts'

const NARROWEST = 40
/** The most rows of a part: the newest weeks, the largest types and clients. */
const MAX = 12
const LABEL = 16

/** The counts as small bars of messages, in lines of at most `width` columns (at least 40). */
export function statsLines({ total, weeks, types, clients }: Stats, width: number): string[] {
  const room = Math.max(width, NARROWEST)
  return [
    `${short(total.conversations)} ${total.conversations === 1 ? 'conversation' : 'conversations'}, ${short(total.messages)} messages, about ${short(total.tokens)} tokens`,
    ...part('Week of', Object.entries(weeks).slice(-MAX), room),
    ...part('Type', Object.entries(types).slice(0, MAX), room),
    ...part('Client', Object.entries(clients).slice(0, MAX), room),
  ]
}

function part(title: string, rows: readonly [string, Sum][], width: number): string[] {
  if (rows.length === 0) return []
  const most = Math.max(1, ...rows.map(([, { messages }]) => messages))
  const label = Math.max(title.length, ...rows.map(([name]) => labelOf(name).length))
  const room = Math.min(width - label - NUMBERS, WIDEST)
  return [
    '',
    [title.padEnd(label), ' '.repeat(room), heads()].join('  ').trimEnd(),
    ...rows.map(([name, sum]) =>
      [labelOf(name).padEnd(label), bar(sum.messages / most, room), numbers(sum)].join('  '),
    ),
  ]
}

const COLUMNS = [5, 8, 7]
/** The width of the columns with the gaps between and before them. */
const NUMBERS = COLUMNS.reduce((sum, width) => sum + width + 1, 0) - 1 + 4
const WIDEST = 60

function heads(): string {
  return ['conv.', 'messages', 'tokens'].map((head, at) => head.padStart(COLUMNS[at]!)).join(' ')
}

function numbers({ conversations, messages, tokens }: Sum): string {
  return [conversations, messages, tokens].map((count, at) => short(count).padStart(COLUMNS[at]!)).join(' ')
}

/** A name from a record in ASCII, so that each character takes one column. */
function labelOf(name: string): string {
  const plain = name.replace(/[^ -~]/gu, '?')
  return plain.length <= LABEL ? plain : `${plain.slice(0, LABEL - 1)}~`
}

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** A bar in eighths of a column; at least one for a value above zero. */
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
