import { expect, test } from 'vitest'
import { withoutInvisible } from '../../src/text/invisible.ts'

// promise: Characters that show nothing are left out.
test.each([
  ['zero-width signs and a soft hyphen', 'a\u200bb\u2060c\ufeffd\u00ade\u200ef', 'abcdef'],
  ['words in tag characters', `see\u{e0064}\u{e0065}\u{e006c} this`, 'see this'],
  ['words in variation selectors behind an emoji', '😀\ufe01\u{e0117}\u{e0118}', '😀'],
  ['joiners between letters of English', 'De\u200dle\u200cte', 'Delete'],
  ['tags behind a flag that are no region', `🏴${'\u{e0061}'.repeat(9)}\u{e007f}`, '🏴'],
  ['marks of annotations', 'a\ufff9b\ufffac\ufffb', 'abc'],
  ['what stands at the beginning', '\u200d\ufe0fa', 'a'],
])('removes what shows nothing: %s', (_, text, seen) => {
  expect(withoutInvisible(text)).toBe(seen)
})

test.each([
  ['family', '👩\u200d👩\u200d👧'],
  ['heart on fire', '❤\ufe0f\u200d🔥'],
  ['keycap', '1\ufe0f\u20e3'],
  ['flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['pirate flag', '🏴\u200d☠\ufe0f'],
  ['Persian', 'می\u200cخواهم'],
  ['a Japanese name with its own form of a character', '葛\u{e0100}城'],
  ['plain text', 'a – b, c\n\td'],
])('keeps what changes the look: %s', (_, text) => {
  expect(withoutInvisible(text)).toBe(text)
})
