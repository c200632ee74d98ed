import { diffLines } from 'diff'
import { largeCountOf } from '../../../text/count-of.ts'
import { type Html, html } from './html.ts'

/** The change of a file by a tool call: a text and its replacement, or a patch. */
export type Edit = { before: string; after: string } | { patch: string }

/**
 * Finds the edits in the arguments of a call, by the argument names of the clients' tools. Assumes that these names
 * mean the same in other tools.
 */
export function editsIn(given: unknown): Edit[] {
  if (typeof given !== 'object' || given === null) return []
  const fields = given as Record<string, unknown>
  if (Array.isArray(fields.edits)) return fields.edits.slice(0, MAX_EDITS).flatMap(editsIn)
  const [before, after] = [textIn(fields, BEFORE), textIn(fields, AFTER)]
  if (before !== undefined && after !== undefined) return [{ before, after }]
  const patch = textIn(fields, PATCH)
  return patch !== undefined && /^(\*\*\* |--- |\+\+\+ |@@ )/m.test(patch) ? [{ patch }] : []
}

const BEFORE = ['old_string', 'oldString', 'old_str', 'old_text', 'oldText']
const AFTER = ['new_string', 'newString', 'new_str', 'new_text', 'newText']
const PATCH = ['patch', 'patchText', 'patch_text', 'diff', 'input']
const MAX_EDITS = 200

/** The arguments that `editsIn` reads. */
export const EDIT_ARGUMENTS = ['edits', ...BEFORE, ...AFTER, ...PATCH]

function textIn(fields: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => fields[name]).find((value): value is string => typeof value === 'string')
}

export interface Line {
  sign: '+' | '-' | ' ' | '@'
  text: string
}

/** The lines of an edit, as a diff has them. */
export function linesOf(edit: Edit): Line[] {
  return 'patch' in edit ? linesOfPatch(edit.patch) : linesBetween(edit.before, edit.after)
}

/** Shows an edit as a diff. Signs mark added and removed lines, so that a reader does not need the colours. */
export function diffBlock(lines: readonly Line[]): Html {
  const shown = lines.slice(0, MAX_LINES)
  const left = lines.length - shown.length
  return html`<div class="diff" role="group" aria-label="Change" tabindex="0">${shown.map(row)}${
    left > 0 &&
    html`<p class="left">${largeCountOf(left, 'more line')} ${left === 1 ? 'is' : 'are'} in the record.</p>`
  }</div>`
}

const MAX_LINES = 600
const MAX_LINE = 2000

function row({ sign, text }: Line): Html {
  const shown = text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
  if (sign === '@') return html`<div class="at" dir="auto">${shown}</div>`
  if (sign === ' ') return html`<div><span class="sign"> </span><span dir="auto">${shown}</span></div>`
  return sign === '+'
    ? html`<ins><span class="sign">+</span><span dir="auto">${shown}</span></ins>`
    : html`<del><span class="sign">−</span><span dir="auto">${shown}</span></del>`
}

/** How many of these lines are added and removed. */
export function countsOf(lines: readonly Line[]): { added: number; removed: number } {
  const count = (sign: Line['sign']) => lines.filter((line) => line.sign === sign).length
  return { added: count('+'), removed: count('-') }
}

function linesOfPatch(patch: string): Line[] {
  let inHunk = false
  return textLines(patch).map((line, index, all) => {
    // In a hunk, `--- x` is a removed line `-- x`, unless it begins the next file.
    if (/^--- /.test(line) && all[index + 1]?.startsWith('+++ ') && all[index + 2]?.startsWith('@@'))
      inHunk = false
    const isHead = /^(\*\*\* |@@|diff |index )/.test(line)
    if (isHead) inHunk = /^(@@|\*\*\* \w+ File: )/.test(line)
    if (isHead || (!inHunk && /^(---|\+\+\+) /.test(line))) return { sign: '@', text: line }
    const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' '
    return { sign, text: sign === ' ' && line[0] !== ' ' ? line : line.slice(1) }
  })
}

function linesBetween(before: string, after: string): Line[] {
  // Comparing long texts, or texts that differ in many places, would take long.
  const parts =
    before.length + after.length > MAX_COMPARED
      ? undefined
      : diffLines(before, after, { maxEditLength: 2000, timeout: 200, ignoreNewlineAtEof: true })
  const found = parts ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ]
  return found.flatMap(({ value, added, removed }) =>
    textLines(value).map((text): Line => ({ sign: added ? '+' : removed ? '-' : ' ', text })),
  )
}

const MAX_COMPARED = 400_000

function textLines(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
