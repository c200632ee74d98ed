import { idsIn } from './table.mjs'

/** A title that names more says of none of them what it proves. */
export const MAX_IDS = 8

/**
 * Ties the rows to the tests that name them.
 * `proofs`: id → tests that ran and passed, and only those. `crowded`: titles with too many ids. `strangers`: ids that a
 * title names and the table does not know, whatever became of the test.
 */
export function prove(rows, tests) {
  const proofs = new Map(rows.map(({ id }) => [id, []]))
  const crowded = []
  const strangers = []
  for (const test of tests) {
    const title = test.titles.join(' › ')
    const named = idsIn(title, rows)
    for (const id of named.strangers) strangers.push({ file: test.file, title, id })
    if (named.ids.length > MAX_IDS) crowded.push({ file: test.file, title, count: named.ids.length })
    if (test.status === 'passed') for (const id of named.ids) proofs.get(id).push({ file: test.file, title })
  }
  return { proofs, crowded, strangers }
}
