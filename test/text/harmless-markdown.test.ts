import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asCode, harmless } from '../../src/text/harmless-markdown.ts'
import { text } from '../session/conversations.ts'

describe('text in a pull request does nothing', () => {
  test.each([
    ['plain prose stays as it is', 'We keep REST; it is simple, and (mostly) done!', undefined],
    ['a mention', 'ask @octocat and @acme/team', 'ask `＠octocat` and `＠acme/team`'],
    ['a bot that reads the raw text', '@dependabot merge', '`＠dependabot` merge'],
    ['an issue', 'fixes #123, see GH-7 and acme/repo#9', 'fixes `#123,` see `GH-7` and `acme/repo#9`'],
    ['a commit', 'since 1a2b3c4d5e and deadbeef', 'since `1a2b3c4d5e` and `deadbeef`'],
    ['a page', 'see https://github.com/a/b/issues/1', 'see `https://github.com/a/b/issues/1`'],
    ['HTML', 'a </details><script>alert(1)</script> b', 'a `</details><script>alert(1)</script>` b'],
    ['a picture', 'look ![x](https://evil.example/p.png)', 'look `![x](https://evil.example/p.png)`'],
    ['a closing backtick', 'run `rm` now', "run `'rm'` now"],
    ['a formula and an emoji by name', 'cost $x$ :tada:', 'cost `$x$ :tada:`'],
    ['a numbered list', '1. first', '`1.` first'],
    ['a heading', '# Big', '`#` Big'],
    ['several lines', 'one\n## two\n/approve', 'one `##` two `/approve`'],
    ['direction and invisible marks', 'a\u202eb\u200fc\u200bd \u{e0041}\u{e0042} e', 'abcd e'],
    ['a pile of marks', `e${'\u0301'.repeat(50)}`, 'e\u0301\u0301\u0301'],
    ['other scripts', '我们选择 REST。Привет, мир!', '我们选择 REST。Привет, мир!'],
  ])('%s', (_, given, shown) => {
    expect(harmless(given)).toBe(shown ?? given)
  })

  const hostile = fc
    .array(
      fc.oneof(
        text,
        fc.constantFrom(
          '@octocat',
          '#12',
          'GH-1',
          'a/b#3',
          '0123456789abcdef',
          '`',
          '``',
          '<img src=x>',
          '</details>',
          '![a](http://e.example/b)',
          'https://github.com/a/b/pull/1',
          'www.evil.example',
          '- [ ]',
          '\u202e',
          '\u2066',
          '\u200d',
          '|',
          '~~',
          '\\',
          '&#64;x',
          '\n\n',
          '[x]: http://e.example',
        ),
      ),
      { maxLength: 8 },
    )
    .chain((parts) => fc.constantFrom('', ' ').map((between) => parts.join(between)))

  // promise: makes a text whose recorded words do nothing on GitHub
  test('law: outside of code spans are only letters, digits and the punctuation of prose, on one line', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const shown = harmless(given)
        const outside = shown.replace(/`[^`]+`/g, ' ')
        expect(outside).toMatch(/^[\p{L}\p{M}\p{N} .,;:!?()"'“”‘’„«»…–—。、，！？：；「」『』（）-]*$/u)
        expect(outside).not.toMatch(/[0-9a-f]{7}|\p{L}-\d/iu)
        expect(shown).not.toMatch(/[@\n\r\p{Default_Ignorable_Code_Point}\p{Cf}]/u)
        expect(shown).not.toMatch(/^(?:\d+[.)]|[-+*#>]|\s)/)
      }),
    )
  })

  test('law: a code span contains its whole text, whatever that is', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        expect(asCode(given)).toMatch(/^(?:|`[^`\n@]+`)$/)
      }),
    )
  })
})
