import { expect, test } from 'vitest'
import { plain } from '../../src/text/without-accents.ts'

test.each([
  ['café', 'cafe'],
  ['Ærø', 'AEro'],
  ['ｃａｆé', 'cafe'],
  ['ガラス', 'ガラス'],
  ['한국어', '한국어'],
])('%s is compared as %s, in each form that Unicode has for it', (text, compared) => {
  for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const)
    expect(plain(text.normalize(form))).toBe(compared)
})

test('half-width letters of Japanese are compared as the wide ones', () => {
  expect(plain('ｶﾞﾗｽ')).toBe('ガラス')
})
