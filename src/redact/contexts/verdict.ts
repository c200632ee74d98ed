import type { NamedPlace } from './named-place.ts'

/**
 * Whether `pass` is the verdict of a test or a round of work, and no name of a password: a cell of a table (`| a | PASS
 * | 9019bd… |`), a line of a report (`✓ PASS: 'x'`), `the first pass: x`. A user or a login before it, or an assignment,
 * shows that it is a name.
 */
export function isPassedTest({ text, start, end, name }: NamedPlace, sign: string): boolean {
  if (!/^pass$/i.test(name) || ASSIGNMENT.test(sign)) return false
  const before = lineOf(text.slice(Math.max(0, start - 120), start), -1)
  const after = lineOf(text.slice(end, end + 60), 0)
  if (sign === '' && name !== 'PASS') return false
  const account = sign === ':' ? ACCOUNT : /[0-9]/.test(after) ? ACCOUNT_CELLS : ACCOUNT_CELL
  if (account.test(before)) return false
  if (MARK.test(before) || ROUND.test(before) || /\bfail/i.test(after)) return true
  if (/<\w{1,20}>?$/.test(before)) return /<t[dh]>$/i.test(before)
  return name === 'PASS' || (sign !== ':' && /[\p{L}\p{N})"'`]/u.test(before))
}

/** The first or the last line of a short piece. */
function lineOf(piece: string, index: 0 | -1): string {
  return piece.split(/\r?\n|\\{1,8}n/).at(index)!
}

const ASSIGNMENT = /^(?:[:+?.!|=]{0,3}=|=>|\|\||\?\?)/
/** Words beside which `pass` is a password. */
const ACCOUNT_WORD =
  'user(?: ?name)?|usr|log-?in|e-?mail|account|host|server|ssid|admin|root|usuario|benutzer|utilisateur|my|db|sql|ftp|ssh|vpn|wi-?fi'
const ACCOUNT = new RegExp(`(?<![A-Za-z])(?:${ACCOUNT_WORD})(?![a-z])`, 'i')
const CELL_END = '[\\s*`"\':]{0,20}(?:[|│\\t,]|\\s{2})'
/** In the head of a table, a cell is such a word; in a row, the cell after it is the name of the account. */
const ACCOUNT_CELL = new RegExp(`(?:^|[|│\\t,]|\\s{2})[\\s*\`"']{0,20}(?:${ACCOUNT_WORD})${CELL_END}`, 'i')
const ACCOUNT_CELLS = new RegExp(
  `${ACCOUNT_CELL.source}(?=[^|│\\t,]{0,60}[A-Za-z0-9])[^|│\\t,]{1,60}[|│\\t,]`,
  'i',
)
const MARK = /[✓✔✅☑√🟢]|-{3} $/u
const ROUND =
  /\b(?:first|second|third|final|last|next|single|one|two|each|every|per|another|render|lint|review|cleanup|dry|full)[ -]$/i
