import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rarityAmong, rarityOf } from '../../src/search/rarity.ts'
import { CAPITALISED, NAME, ORDINARY, PAIR, readWords } from '../../src/search/words.ts'

/** The words of a text with their kinds, and a sign for the end of each sentence. */
function read(text: string): string[] {
  const signs = { [ORDINARY]: '', [CAPITALISED]: '^', [NAME]: '*', [PAIR]: '+' }
  const found: string[] = []
  readWords(text, {
    word: (kind, _, start, end) => found.push(signs[kind] + text.slice(start, end)),
    sentenceEnd: (asks) => found.push(asks ? '?' : '.'),
  })
  return found
}

describe('the words of a text', () => {
  test.each([
    [
      'a capital counts only inside a sentence',
      'We met Ann. She left',
      ['We', 'met', '^Ann', '.', 'She', 'left'],
    ],
    ['digits and humps make a name', 'v2 of planResume in API', ['*v2', 'of', '*planResume', 'in', '*API']],
    ['an underscore makes names of its neighbours', 'a order_id b', ['a', '*order', '*id', 'b']],
    ['a point ends a sentence only before white space', 'a.b 1.5. c', ['a', 'b', '*1', '*5', '.', 'c']],
    ['a line break and a question mark end one', 'a\nb?', ['a', '.', 'b', '?']],
    ['scripts without spaces come in pairs', '数据库。好？ab', ['+数据', '+据库', '.', '+好', '?', 'ab']],
    ['other scripts have words', 'перенос ο', ['перенос', 'ο']],
    ['signs and emoji are no words', '→ 😀 …', []],
  ])('%s', (_, text, words) => {
    expect(read(text)).toEqual(words)
  })

  test('the hash of a word does not depend on the case of ASCII letters', () => {
    const hashes: number[] = []
    readWords('Outbox outbox OUTBOX inbox', { word: (_, hash) => hashes.push(hash) })
    expect(new Set(hashes.slice(0, 3)).size).toBe(1)
    expect(hashes[3]).not.toBe(hashes[0])
  })

  test('law: words are in the text, in order, and only pairs overlap', () => {
    const unit = fc.constantFrom('a', 'B', '1', '_', ' ', '.', '?', '\n', '数', '据', '😀', 'é', 'я')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 40 }), (units) => {
        const text = units.join('')
        let [last, lastKind] = [0, -1]
        readWords(text, {
          word(kind, _, start, end) {
            expect(end).toBeGreaterThan(start)
            expect(end).toBeLessThanOrEqual(text.length)
            expect(start).toBeGreaterThanOrEqual(kind === PAIR && lastKind === PAIR ? last - 1 : last)
            ;[last, lastKind] = [end, kind]
          },
        })
      }),
    )
  })
})

describe('what a text is worth', () => {
  const filler = Array.from({ length: 200 }, () => 'the queue is slow today')
  const rarity = rarityAmong([...filler, 'the walrus sleeps', 'the walrus42 sleeps', 'We saw Walter there'])

  test('a word in every text is worth nothing, and a rare one much', () => {
    expect(rarity.worth('the queue')).toBe(0)
    expect(rarity.worth('walrus')).toBeGreaterThan(1)
  })

  test('a name is worth three words that are equally rare', () => {
    expect(rarity.worth('walrus42')).toBeCloseTo(3 * rarity.worth('walrus'))
    expect(rarity.worth('so Walter')).toBeCloseTo(rarity.worth('so') + 3 * rarity.worth('walter'))
  })

  test('a capital does not make a name when every noun has one', () => {
    const german = rarityAmong([...filler.map(() => 'wir haben die Liste im Keller'), 'da war Walter'])
    expect(german.worth('da war Walter')).toBeCloseTo(german.worth('da war walter'))
  })

  test('a question is worth nothing, and the sentence after it is', () => {
    expect(rarity.worth('walrus?')).toBe(0)
    expect(rarity.worth('queue? walrus')).toBe(rarity.worth('walrus'))
    expect(rarity.worth('walrus. queue?')).toBe(rarity.worth('walrus'))
  })

  test('a word that comes again in a text adds nothing', () => {
    expect(rarity.worth('walrus, walrus and Walrus')).toBe(rarity.worth('walrus and'))
  })

  test('a word with accents is the same word as without', () => {
    const french = rarityAmong([...filler, 'le résumé', 'le resume'])
    expect(french.worth('résumé')).toBe(french.worth('resume'))
  })

  test('the fewer of the texts contain a word, the rarer it is', () => {
    const rare = [0, 1, 10, 100].map((holding) => rarityOf(holding, 100))
    expect(rare).toEqual(rare.toSorted((a, b) => b - a))
    expect(Math.min(...rare)).toBeGreaterThan(0)
  })
})

test('a word counts where a statement has it, also after a question that has it too', () => {
  const rarity = rarityAmong(['the falcon', ...Array.from({ length: 40 }, () => 'the sparrow')])
  expect(rarity.worth('where? falcon.')).toBeGreaterThan(0)
  expect(rarity.worth('falcon? falcon.')).toBe(rarity.worth('falcon.'))
  expect(rarity.worth('falcon. falcon.')).toBe(rarity.worth('falcon.'))
  expect(rarity.worth('falcon?')).toBe(0)
})
