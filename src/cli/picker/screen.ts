import type { Environment } from '../../io/environment.ts'
import { cellsOf, fitCells, padCells } from '../../text/cells.ts'
import { fitTitle } from '../conversation-lines.ts'
import { allowsMarks } from '../print.ts'
import type { Offer } from './offer.ts'

/** Marks text on a terminal, unless `allowsMarks` says no. */
export interface Paint {
  bold(text: string): string
  dim(text: string): string
  /** Marks the line that Enter chooses. */
  chosen(text: string): string
}

export interface Screen {
  columns: number
  rows: number
  paint: Paint
}

export interface Shown {
  offers: readonly Offer[]
  /** The index of the offer that Enter chooses. */
  active: number
  /** Lines about the active offer; undefined while they are being read. */
  preview: readonly string[] | undefined
  /** A message about work that is running or has just ended, such as `asking the clients for their own sessions`. */
  note: string
  /** The client that Enter starts, if it is not the client that the offer names. */
  inClient: string | undefined
  /** Number of all offers, before the typed text filters them. */
  all: number
  isHelp: boolean
  /** What is not among the offers, and why. */
  hidden?: string | undefined
  /** The actions that this picker has besides choosing. */
  extras: readonly Extra[]
}

export type Extra = 'client' | 'new' | 'archive'

/** From this width on, the preview is to the right of the list. */
const MIN_COLUMNS_BESIDE = 116
/** A terminal of fewer rows shows no preview below the list. */
const MIN_ROWS_BELOW = 16
const MAX_ROWS_BELOW = 8

/**
 * Returns the lines below the input line: the list, the preview of the highlighted offer, a status line, and the keys.
 * No line is wider than the terminal. There are at most `rows` - 2 lines, or three if the terminal has fewer than five
 * rows.
 */
export function screenOf(shown: Shown, screen: Screen): string[] {
  const { columns, rows, paint } = screen
  const bottom = [statusOf(shown, screen), paint.dim(keysIn(columns, shown.extras))]
  const room = Math.max(1, rows - 2 - bottom.length)
  if (shown.isHelp)
    return [
      ...helpFor(shown.extras)
        .slice(0, room)
        .map((line) => fitCells(line, columns)),
      ...bottom,
    ]
  if (columns >= MIN_COLUMNS_BESIDE) return [...sideBySide(shown, screen, room), ...bottom]
  const below = rows >= MIN_ROWS_BELOW ? Math.min(MAX_ROWS_BELOW, Math.floor(room / 2)) : 0
  const list = listOf(shown, columns, below > 0 ? room - below - 1 : room, paint)
  const preview = below > 0 ? [paint.dim('─'.repeat(columns)), ...previewOf(shown, columns, below)] : []
  return [...list, ...preview, ...bottom]
}

function sideBySide(shown: Shown, { columns, paint }: Screen, room: number): string[] {
  const left = Math.floor(columns * 0.58)
  const right = columns - left - 3
  const list = listOf(shown, left, room, paint)
  const preview = previewOf(shown, right, room)
  const height = Math.max(list.length, preview.length)
  return Array.from({ length: height }, (_, row) => {
    const line = list[row] ?? ''
    const width = cellsOf(line.replace(CODES, ''))
    return `${line}${' '.repeat(Math.max(0, left - width))} ${paint.dim('│')} ${preview[row] ?? ''}`.trimEnd()
  })
}

const CODES = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g')

function listOf(
  { offers, active, hidden = '' }: Shown,
  width: number,
  maxRows: number,
  paint: Paint,
): string[] {
  if (offers.length === 0)
    return ['No conversation matches. To search what was said, type / first.', hidden]
      .filter((line) => line !== '')
      .slice(0, maxRows)
      .map((line) => fitCells(`  ${line}`, width))
  const begin = Math.min(Math.max(0, active - Math.floor(maxRows / 2)), Math.max(0, offers.length - maxRows))
  const page = offers.slice(begin, begin + maxRows)
  return rowsOf(page, width - 2).map((row, index) =>
    begin + index === active ? paint.chosen(`❯ ${row}`) : `  ${row}`,
  )
}

type Cell = 'type' | 'when' | 'client' | 'messages' | 'author'

/** The cells that follow a title; the widest layout comes first. `title` is the minimum width of the title. */
const LAYOUTS: readonly { title: number; cells: readonly Cell[] }[] = [
  { title: 40, cells: ['type', 'when', 'client', 'messages', 'author'] },
  { title: 40, cells: ['type', 'when', 'client', 'messages'] },
  { title: 26, cells: ['type', 'when', 'client'] },
  { title: 24, cells: ['when', 'client'] },
  { title: 20, cells: ['when'] },
  { title: 0, cells: [] },
]

function rowsOf(offers: readonly Offer[], width: number): string[] {
  for (const { title: minTitle, cells } of LAYOUTS) {
    const shownCells = cells.filter(
      (name) => name !== 'author' || offers.some((one) => cellText(one, name) !== ''),
    )
    const widths = shownCells.map((name) =>
      Math.min(14, Math.max(...offers.map((one) => cellsOf(cellText(one, name))))),
    )
    const room = width - widths.reduce((sum, one) => sum + one + 2, 0)
    if (room < minTitle) continue
    return offers.map((one) => {
      const title = one.where === undefined ? one.title : `${one.where}: ${one.title}`
      const after = shownCells.map((name, column) => {
        const text = fitCells(cellText(one, name), widths[column]!)
        return name === 'messages' ? text.padStart(widths[column]!) : padCells(text, widths[column]!)
      })
      return [padCells(fitTitle(title, room), room), ...after].join('  ').trimEnd()
    })
  }
  return []
}

function cellText(offer: Offer, name: Cell): string {
  if (name === 'messages') return String(offer.messages ?? '')
  return name === 'author' ? (offer.author?.() ?? '') : offer[name]
}

function previewOf({ preview, offers }: Shown, width: number, maxRows: number): string[] {
  if (offers.length === 0) return []
  const lines = (preview ?? ['…']).flatMap((line) => wrap(line, width))
  return lines.length > maxRows ? [...lines.slice(0, maxRows - 1), '…'] : lines
}

/** Breaks a text into at most three lines, between words where possible. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '' && lines.length < 3) {
    const head = cellsOf(rest) <= width ? rest : withoutEllipsis(fitCells(rest, width))
    const space = head.length < rest.length ? head.lastIndexOf(' ') : -1
    const line = space > head.length / 2 ? head.slice(0, space) : head || [...rest][0]!
    lines.push(line)
    rest = rest.slice(line.length).trimStart()
  }
  // The spaces make the last line too long, so that it ends in `…`.
  if (rest !== '') lines[2] = fitCells(`${lines[2]}${' '.repeat(width)}`, width)
  return lines.length === 0 ? [''] : lines
}

function withoutEllipsis(text: string): string {
  return text.endsWith('…') ? text.slice(0, -1) : text
}

function statusOf({ offers, active, all, note, inClient }: Shown, { columns, paint }: Screen): string {
  const place = offers.length === 0 ? `0 of ${all}` : `${active + 1} of ${offers.length}`
  const parts = [
    offers.length > 0 && offers.length < all ? `${place} (${all})` : place,
    ...(inClient === undefined ? [] : [`client: ${inClient}`]),
    ...(note === '' ? [] : [note]),
  ]
  return paint.dim(fitCells(parts.join(' · '), columns))
}

const KEYS: readonly { key: string; does: string; rank: number; extra?: Extra }[] = [
  { key: '↵', does: 'go on', rank: 1 },
  { key: '→', does: 'other client', rank: 4, extra: 'client' },
  { key: '^N', does: 'new', rank: 5, extra: 'new' },
  { key: '^X', does: 'archive', rank: 6, extra: 'archive' },
  { key: '/', does: 'words said', rank: 3 },
  { key: '?', does: 'help', rank: 2 },
  { key: 'Esc', does: 'quit', rank: 0 },
]

/** Returns as many keys as fit on the line. Keys with the highest rank are left out first. */
export function keysIn(columns: number, extras: readonly Extra[]): string {
  for (let count = KEYS.length; count > 0; count -= 1) {
    const line = KEYS.filter(
      ({ rank, extra }) => rank < count && (extra === undefined || extras.includes(extra)),
    )
      .map(({ key, does }) => `${key} ${does}`)
      .join('  ')
    if (cellsOf(line) <= columns) return line
  }
  return ''
}

/** Returns the help without the keys that do nothing in this picker. */
function helpFor(extras: readonly Extra[]): string[] {
  return HELP.flatMap(([line, extra]) => (extra === undefined || extras.includes(extra) ? [line] : []))
}

const HELP: readonly (readonly [line: string, extra?: Extra])[] = [
  ['  Type to find by title, type, client or summary; case and accents do not count.'],
  ['  /words    what was said, ranked as by cortext search'],
  ['  ↑ ↓       up and down; PgUp, PgDn, Home and End as well'],
  ['  Enter     go on with the highlighted one'],
  ['  → ←       go on in another client', 'client'],
  ['  Ctrl-N    begin something new', 'new'],
  ['  Ctrl-X    archive it (undo: cortext edit <id> --unarchive)', 'archive'],
  ['  Esc       clear what was typed; then quit'],
]

/** Whether the terminal cannot move its cursor, or a screen reader reads its text aloud. */
export function isPlain({ TERM, ACCESSIBLE = '' }: Environment['env']): boolean {
  return TERM === 'dumb' || ACCESSIBLE !== ''
}

/** The size of the terminal. */
export function sizeOf(): Pick<Screen, 'columns' | 'rows'> {
  return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 }
}

export function paintOf(env: Environment['env']): Paint {
  const code = (begin: string, end: string) => (text: string) =>
    allowsMarks(env) ? `\u001b[${begin}m${text}\u001b[${end}m` : text
  return { bold: code('1', '22'), dim: code('2', '22'), chosen: code('1;36', '22;39') }
}
