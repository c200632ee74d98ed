import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cellsOf } from '../../src/text/cells.ts'
import { wrapLine, wrapText } from '../../src/text/wrap.ts'

test('a line is broken between words, and continues below its second column', () => {
  expect(wrapLine('  came with ad35f5988 The limits of all that is uploaded', 30)).toEqual([
    '  came with ad35f5988 The',
    '    limits of all that is',
    '    uploaded',
  ])
  expect(wrapLine('  ok       seven types of conversation are here', 30)).toEqual([
    '  ok       seven types of',
    '           conversation are',
    '           here',
  ])
  expect(wrapLine('short', 30)).toEqual(['short'])
})

test('text to paste stays whole: commands, paths, text in backticks', () => {
  expect(wrapLine('Shared: a stop commits. To keep them to yourself: cortext init --private', 40)).toEqual([
    'Shared: a stop commits. To keep them to',
    '  yourself: cortext init --private',
  ])
  expect(wrapLine('It is said: cortext export 001 --format html --output x.html', 30)).toEqual([
    'It is said:',
    '  cortext export 001 --format html --output x.html',
  ])
  expect(wrapLine('Your agents may now run `cortext agent list` unasked', 32)).toEqual([
    'Your agents may now run',
    '  `cortext agent list` unasked',
  ])
  expect(wrapLine('  ok       cortext 0.1.0, called as /home/ann/.local/bin/cortext', 30)).toEqual([
    '  ok       cortext 0.1.0,',
    '           called as',
    '  /home/ann/.local/bin/cortext',
  ])
  for (const line of [
    '→ cortext show 001-brainstorm-limits --at 12',
    'fix: cortext why src/limits-of-all.ts',
    'qwen --resume 0d4c1a52-7f0e-4b7e-9a3b',
    'some-client --session 0d4c1a52-7f0e-4b7e-9a3b',
  ])
    expect(wrapLine(line, 30)).toEqual([line])
  expect(wrapLine('Shared: git tracks the conversations here', 30)).toEqual([
    'Shared: git tracks the',
    '  conversations here',
  ])
  expect(wrapLine('Workspace: /home/ann/a-rather-long-name/project', 30)).toEqual([
    'Workspace:',
    '  /home/ann/a-rather-long-name/project',
  ])
})

test('Chinese is broken anywhere, by the cells that it takes; codes take none', () => {
  expect(wrapLine('数据库设计讨论是否使用发件箱表', 20)).toEqual(['数据库设计讨论是', '  否使用发件箱表'])
  const bold = '\u001b[1mlimit\u001b[22m'
  expect(wrapLine(`it is a ${bold} of all that`, 25)).toEqual([`it is a ${bold} of all that`])
})

test('law: only spaces at line breaks are lost, and only text to paste is wider than the terminal', () => {
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.lorem({ maxCount: 1 }),
  )
  const line = fc
    .array(word, { maxLength: 40 })
    .map((words) => words.join(' ').replace(/[\s\u0000-\u001f\u007f-\u009f`/]+/g, ' '))
  fc.assert(
    fc.property(line, fc.integer({ min: 20, max: 120 }), (text, width) => {
      const lines = wrapLine(text, width)
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      if (!/cortext|git|claude|opencode|gemini|codex|npm|^fix: /.test(text))
        for (const one of lines) expect(cellsOf(one)).toBeLessThanOrEqual(width)
    }),
  )
})

test('a recorded text is broken between words; items of lists are indented, and code stays as it is', () => {
  const text = [
    'A sentence that is longer than thirty cells',
    '  - an item of a list that is longer, too',
    '```',
    'const long = "a line of code that is longer than thirty"',
    '```',
    '    indented code that is longer than thirty cells',
  ].join('\n')
  expect(wrapText(text, 30)).toEqual([
    'A sentence that is longer than',
    'thirty cells',
    '  - an item of a list that is',
    '    longer, too',
    '```',
    'const long = "a line of code that is longer than thirty"',
    '```',
    '    indented code that is longer than thirty cells',
  ])
})

test('a word of megabytes is left to the terminal', () => {
  const word = 'x'.repeat(4_000_000)
  expect(wrapText(word, 80)).toEqual([word])
})
