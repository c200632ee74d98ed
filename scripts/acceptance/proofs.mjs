import { idsIn } from './table.mjs'

/** A title with more ids would not show what proves which of them. */
export const MAX_IDS = 8

/**
 * Connects the rows with the tests that name them. `proofs` maps each id to the tests that name it and passed.
 * `crowded` contains the titles with too many ids, and `strangers` the ids in titles that are not in the table,
 * whatever the result of the test.
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
