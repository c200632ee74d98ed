import { expect, test } from 'vitest'
import { matching, type Offer } from '../../../src/cli/picker/offer.ts'

const offers = ['Zürich trip', 'A trip to Zurich', 'Release plan', 'Plan of the api', 'API design'].map(
  (title): Offer => ({
    title,
    type: 'plan',
    when: 'yesterday',
    client: 'OpenCode',
    words: `001-${title} tag`,
  }),
)

test('a number finds the conversation of that number first', () => {
  const numbered = offers.map((one, n) => ({ ...one, number: String(n), words: `${n} 4th` }))
  expect(matching(numbered, '4').map(({ number }) => number)).toEqual(['4', '0', '1', '2', '3'])
})

test('a number with its day is found, though no other word has it', () => {
  expect(matching([{ ...offers[0]!, number: '11-21/3' }, offers[1]!], '11-21/3')).toHaveLength(1)
})

// promise: Type to find by title, type, client, tag or summary; then what was said is searched as well.
test.each([
  ['', ['Zürich trip', 'A trip to Zurich', 'Release plan', 'Plan of the api', 'API design']],
  ['zur', ['Zürich trip', 'A trip to Zurich']],
  ['ZÜRICH trip', ['Zürich trip', 'A trip to Zurich']],
  ['api', ['API design', 'Plan of the api']],
  ['ap des', ['API design']],
  ['opencode api', ['Plan of the api', 'API design']],
  ['tag rel', ['Release plan']],
  ['nothing', []],
])('"%s" finds titles that begin with it first, then words of titles, then all else', (typed, titles) => {
  expect(matching(offers, typed).map(({ title }) => title)).toEqual(titles)
})
