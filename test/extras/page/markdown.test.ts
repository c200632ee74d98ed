import { expect, test } from 'vitest'
import { newBudget } from '../../../src/extras/page/html/bounds.ts'
import { markdown } from '../../../src/extras/page/html/markdown.ts'

test.each([
  ['lists', 30, (level: number) => `${'  '.repeat(level)}- word${level}`],
  ['lists', 60, (level: number) => `${'  '.repeat(level)}- word${level}`],
  ['quotations', 80, (level: number) => `${'>'.repeat(level + 1)} word${level}\n`],
  ['lists in one line', 70, (level: number) => (level === 0 ? `${'- '.repeat(70)}word0` : `word${level}`)],
])('no word of %s in each other, %i deep, is missing from a page', (_, depth, line) => {
  const text = Array.from({ length: depth }, (__, level) => line(level)).join('\n')
  const shown = markdown(text, newBudget()).text
  for (let level = 0; level < depth; level += 1) expect(shown).toMatch(new RegExp(`word${level}\\b`))
})

test('a picture of signs far to the right in a block of code leaves the rest of a message as it is formatted', () => {
  const shown = markdown(`**bold**\n\n\`\`\`\n${' '.repeat(90)}|\n\`\`\`\n`, newBudget()).text
  expect(shown).toContain('<strong>bold</strong>')
})
