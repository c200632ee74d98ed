import fc from 'fast-check'
import { expect, test } from 'vitest'
import { putBlock, takeBlock } from '../../../src/workspace/merge/block.ts'

const texts = fc.oneof(
  fc.constant(undefined),
  fc
    .array(fc.constantFrom('a', '\n', '\r\n', '# >>> cortext x >>>\n', '*.log\n'), { maxLength: 12 })
    .map((all) => all.join('')),
  fc.string(),
)

test('lines that were added can be removed again, whatever the file contained', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.constantFrom('/a/', 'b c', '\\#d')), (text, lines) => {
      const put = putBlock(text, 'w', lines)
      for (const line of lines) expect(put.split('\n')).toContain(line)
      expect(takeBlock(put, 'w')).toBe(text)
      expect(putBlock(put, 'w', lines)).toBe(put)
      expect(takeBlock(putBlock(put, 'w', ['other']), 'w')).toBe(text)
    }),
  )
})

test('two blocks do not affect each other', () => {
  const both = putBlock(putBlock('mine\n', 'a', ['1']), 'b', ['2'])
  expect(takeBlock(both, 'a')).toBe(putBlock('mine\n', 'b', ['2']))
})

test('text after a block stays', () => {
  expect(takeBlock(`${putBlock(undefined, 'w', ['1'])}mine\n`, 'w')).toBe('mine\n')
  expect(takeBlock(`${putBlock('old', 'w', ['1'])}mine`, 'w')).toBe('old\nmine')
})

test('lines of ours to which git gave Windows line endings are found, updated and removed all the same', () => {
  const windows = (text: string) => text.replaceAll('\n', '\r\n')
  const put = windows(putBlock('mine\n', 'w', ['1', '2']))
  expect(putBlock(put, 'w', ['1', '2'])).toBe(put)
  expect(putBlock(put, 'w', ['3'])).toBe(windows(putBlock('mine\n', 'w', ['3'])))
  expect(takeBlock(put, 'w')).toBe('mine\r\n')
  expect(takeBlock(windows(putBlock(undefined, 'w', ['1'])), 'w')).toBe(undefined)
})

test('lines of the person after a first mark whose last mark they removed stay', () => {
  for (const before of [undefined, 'mine\n', 'old']) {
    const half = `${putBlock(before, 'w', ['1']).replace('# <<< cortext w <<<\n', '')}theirs\n`
    const again = putBlock(half, 'w', ['1', '2'])
    for (const text of [putBlock(again, 'w', ['3']), takeBlock(again, 'w')])
      expect(text).toContain('theirs\n')
    expect(takeBlock(again, 'w')).toBe(half.replace(/# >>> cortext w.*\n/, ''))
    expect(putBlock(again, 'w', ['3'])).toBe(putBlock(half, 'w', ['3']))
  }
})
