import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countIn, emptyTally, widthOf } from '../../src/search/count.ts'
import { afterSample, SAMPLE, tells } from '../../src/search/frequent.ts'
import { parseQuery } from '../../src/search/parse-query.ts'
import { passageOf } from '../../src/search/passage.ts'
import { type Candidate, rank } from '../../src/search/rank.ts'
import { plain } from '../../src/text/without-accents.ts'

/** How much of each word of a query stands in a text. */
function found(query: string, text: string, slips: string[] = []): Record<string, number> {
  const parsed = parseQuery(query, { typos: new Set(slips) })!
  const tally = emptyTally()
  countIn(plain(text), parsed, tally)
  const held = parsed.terms.map(({ text: word }, at) => [word, tally.counts[at] ?? 0] as const)
  return Object.fromEntries(held.filter(([, count]) => count > 0))
}

/** The places of the texts that hold something of a query, best first; each text is a conversation of one message. */
function ranked(query: string, texts: string[]): number[] {
  const parsed = parseQuery(query)!
  const candidates = texts.map((text, at): Candidate & { at: number } => {
    const messages = emptyTally()
    countIn(plain(text), parsed, messages)
    return { at, messages, count: 1, talk: 1, headings: [] }
  })
  return rank(parsed, candidates).map(({ candidate }) => candidate.at)
}

describe('a word is found', () => {
  // promise: Plurals and other forms, beginnings
  test.each([
    ['in any case', 'ZEBRA', 'a Zebra'],
    ['in the plural', 'zebra', 'two zebras'],
    ['in another form', 'activity', 'many activities'],
    ['in another form', 'hoping', 'we hope so'],
    ['as the beginning of another one', 'migr', 'a migration'],
    ['without its accents', 'resume', 'son résumé'],
    ['with accents that the text lacks', 'résumé', 'his resume'],
    ['with accents written apart', 'résumé', 'his re\u0301sume\u0301'],
    ['German, as the beginning of a compound', 'Schlüssel', 'die Schlüsselverwaltung'],
    ['German, with ß', 'Straße', 'auf der STRASSE'],
    ['Russian', 'перенос', 'Перенос строк'],
    ['Greek', 'λόγος', 'ο ΛΌΓΟΣ μας'],
    ['in an identifier', 'resume', 'call planResume()'],
    ['in an identifier of capitals', 'parser', 'an HTMLParser'],
    ['in a path', 'reader', 'see src/search/reader.ts'],
    ['in snake case', 'resume', 'plan_resume_now'],
    ['as a possessive', "Caroline's", 'Caroline came'],
  ])('%s: %s', (_, query, text) => {
    expect(Object.values(found(query, text))[0]).toBeGreaterThan(0)
  })

  test.each([
    ['inside another word', 'plan', 'the explanation of airplanes'],
    ['as the beginning of another one, when it is short', 'art', 'an article'],
    ['after a typing slip, unless that is asked for', 'desing', 'the design'],
  ])('and not %s: %s', (_, query, text) => {
    expect(found(query, text)).toEqual({})
  })

  // promise: Chinese, Japanese, Thai, Lao, Burmese
  test('an identifier is found whole, and with less weight by its parts', () => {
    expect(found('planResume', 'planResume')).toMatchObject({ planresume: 1 })
    expect(found('planResume', 'to plan a resume')).toEqual({ plan: 1, resume: 1 })
    expect(ranked('planResume', ['to plan a resume', 'we call planResume here'])).toEqual([1, 0])
  })

  // promise: Plurals and other forms, beginnings of words, accents and case do not matter
  test.each([
    ['desing', 'the design'],
    ['paln', 'a plan'],
    ['migation', 'the migration'],
    ['databsae', 'one database'],
    ['kwery', 'a query of qwery'],
  ])('with one typo: %s', (query, text) => {
    expect(Object.keys(found(query, text, [query]))).toEqual([query])
  })

  test.each([
    ['一', '一'],
    ['一 二一', '二一'],
    ['二一 一', '一二一'],
  ])('a single Chinese character and pairs with it: the reader gets to the end (%s in %s)', (query, text) => {
    expect(Object.keys(found(query, text)).sort()).toEqual(query.split(' ').sort())
  })

  // promise: Chinese, Japanese, Thai, Lao, Burmese
  test.each([
    ['Thai', 'ฐานข้อมูล', 'เราคุยกันเรื่องย้ายฐานข้อมูลเมื่อวาน', 'วันนี้อากาศดีมาก'],
    ['Lao', 'ຖານຂໍ້ມູນ', 'ພວກເຮົາຍ້າຍຖານຂໍ້ມູນມື້ວານນີ້', 'ອາກາດດີຫຼາຍ'],
    ['Khmer', 'មូលដ្ឋានទិន្នន័យ', 'យើងបានផ្លាស់ប្តូរមូលដ្ឋានទិន្នន័យម្សិលមិញ', 'អាកាសធាតុល្អណាស់'],
    ['Burmese', 'ဒေတာဘေ့စ်', 'မနေ့ကကျွန်ုပ်တို့ဒေတာဘေ့စ်ကိုရွှေ့ခဲ့သည်', 'ကောင်းသောနေ့'],
  ])('finds words within a sentence of %s, which has no spaces', (_, words, sentence, other) => {
    expect(ranked(words, [other, sentence])[0]).toBe(1)
    expect(Object.keys(found(words, sentence)).length).toBeGreaterThan(2)
  })

  // promise: Chinese, Japanese, Thai, Lao, Burmese and Khmer are found without spaces, identifiers whole
  test('Chinese and Japanese without spaces', () => {
    expect(found('数据库迁移', '我们讨论了数据库的迁移方案')).toEqual({ 数据: 1, 据库: 1, 迁移: 1 })
    expect(ranked('数据库迁移什么时候', ['今天天气很好', '数据库的备份', '数据库迁移定在周五'])).toEqual([
      2, 1,
    ])
    expect(
      ranked('認証の設計', ['データベース', '認証をどう設計するか', '新しい認証の設計について']),
    ).toEqual([2, 1])
    expect(found('数', '数据')).toEqual({ 数: 1 })
  })

  test('common words of questions are left out, unless there are no others or they are quoted', () => {
    expect(parseQuery('What did we do with the outbox?')!.terms.map(({ text }) => text)).toEqual(['outbox'])
    expect(parseQuery('to be')!.terms.map(({ text }) => text)).toEqual(['to', 'be'])
    expect(parseQuery('outbox "to be"')!.terms.map(({ text }) => text)).toEqual(['outbox', 'to', 'be'])
  })

  test('an option keeps its common words', () => {
    expect(ranked('--no-commit', ['a commit, and one more commit', 'with --no-commit'])).toEqual([1, 0])
  })

  test('signs in related words of the settings do no harm', () => {
    const query = parseQuery('cpp', { related: ['cpp c++ (a+)+$ [', '', '***'] })!
    expect(query.terms.map(({ text }) => text)).toEqual(['cpp', 'c', 'a'])
    expect('aaaa c++ cpp'.match(query.pattern)).toContain('cpp')
  })

  test('a query of only signs is searched for literally', () => {
    expect(found('=>', 'a => b => c')).toEqual({ '=>': 2 })
    expect(parseQuery('  ')).toBeUndefined()
  })
})

test('the surer a word means a term, the more it counts', () => {
  const weights = ['zebra', 'zebras', 'zebraHerd', 'zebrafish'].map((text) => found('zebra', text).zebra)
  expect(weights).toEqual([1, 0.9, 0.8, 0.4])
  expect(found('zebra', 'zebar', ['zebra'])).toEqual({ zebra: 0.5 })
})

describe('what counts most', () => {
  // promise: Rare words count more than frequent ones
  test('a rare word counts more than words that are everywhere', () => {
    const texts = ['the queue and the queue', 'the queue and walrus', 'a queue', 'one more queue', 'queue']
    expect(ranked('queue walrus', texts)[0]).toBe(1)
  })

  test('words in a row and in their order count more, and even more in quotes', () => {
    const texts = ['group of support, and a support for a group', 'she went to a support group', 'nothing']
    expect(ranked('support group', texts)).toEqual([1, 0])
    const quoted = [
      'exactly once is a myth',
      'once more than exactly that, which is exactly not once',
      'exactly',
    ]
    expect(ranked('"exactly once"', quoted)[0]).toBe(0)
  })

  test('words that were left out may occur between the others', () => {
    const phrases = (query: string, text: string) => {
      const parsed = parseQuery(query)!
      const tally = emptyTally()
      countIn(text, parsed, tally)
      return tally.counts.slice(parsed.terms.length)
    }
    expect(phrases('move to the queue', 'we move to the queue')).toEqual([1])
    expect(phrases('move queue', 'we move it all away from the queue')).toEqual([0])
    expect(phrases('数据库', '数据库')).toEqual([1])
  })
})

test('law: what is counted in a text is counted in it as a string of JSON too', () => {
  const unit = fc.constantFrom(
    'plan',
    'Plan',
    'nplan',
    ' ',
    '\n',
    '\t',
    '\\',
    '"',
    'n',
    't',
    'ü',
    '计划',
    '划',
  )
  const query = parseQuery('plan next "plan n" 计划')!
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      const text = plain(units.join(''))
      const json = JSON.stringify(text)
      const [said, written] = [emptyTally(), emptyTally()]
      countIn(text, query, said)
      countIn(json, query, written, { from: 1, to: json.length - 1, escaped: true })
      const terms = (counts: number[]) => counts.slice(0, query.terms.length)
      expect(terms(written.counts)).toEqual(terms(said.counts))
    }),
  )
})

describe('the order of conversations', () => {
  const conversation = (name: string, query: string, texts: readonly string[]) => {
    const messages = emptyTally()
    for (const text of texts) countIn(text, parseQuery(query)!, messages)
    return { name, messages, count: texts.length, talk: texts.length, headings: [] }
  }
  const filler = Array.from({ length: 10 }, () => 'nothing of it is here')
  const others = (query: string) => Array.from({ length: 8 }, () => conversation('other', query, filler))
  const names = (query: string, all: Record<string, string[]>) =>
    rank(parseQuery(query)!, [
      ...Object.entries(all).map(([name, texts]) => conversation(name, query, texts)),
      ...others(query),
    ]).map(({ candidate }) => candidate.name)

  test('one message that answers all comes before many that answer half', () => {
    const half = Array.from({ length: 10 }, (_, at) =>
      at % 2 === 0 ? 'a zebra is here' : 'the walrus is here',
    )
    const once = ['the walrus, a zebra', ...filler]
    expect(names('walrus zebra', { often: [...half, ...filler], once })).toEqual(['once', 'often'])
  })

  test('coverage counts each word once, and rare words more', () => {
    const query = 'walrus zebra'
    const all = [
      conversation('both', query, ['walrus', 'zebra', ...filler]),
      conversation('common', query, ['zebra zebra zebra', ...filler]),
      conversation('common too', query, ['zebra', ...filler]),
      conversation('rare', query, ['walrus', ...filler]),
    ]
    const covered = Object.fromEntries(
      rank(parseQuery(query)!, all).map((one) => [one.candidate.name, one.covered]),
    )
    expect(covered.both).toBe(1)
    expect(covered.common).toBe(covered['common too'])
    expect(covered.rare).toBeGreaterThan(0.5)
    expect(covered.common).toBeLessThan(0.5)
  })
})

test('a word in very many messages counts only together with a rarer one', () => {
  const query = parseQuery('answer walrus')!
  const sample = emptyTally()
  for (let at = 0; at < SAMPLE; at += 1) countIn(at < 5 ? 'answer walrus' : 'answer', query, sample)
  const after = afterSample(query, sample, SAMPLE)
  expect(after.frequent).toEqual(new Map([[0, 1]]))
  expect('an answer'.match(after.inJson)).toBeNull()
  const tally = emptyTally()
  countIn('answer walrus', after, tally)
  expect(tells(after, tally)).toBe(true)
  countIn('answer', after, tally)
  expect(tells(after, tally)).toBe(false)
  expect(tally).toMatchObject({ lengths: [13] })
  expect(tally.counts).toHaveLength(widthOf(query))
  expect(afterSample(query, sample, SAMPLE - 1)).toBe(query)
  const held = (part: number) => {
    const some = emptyTally()
    for (let at = 0; at < part * SAMPLE; at += 1) countIn('answer', query, some)
    return afterSample(query, some, SAMPLE).frequent
  }
  expect(held(0.2)).toBeUndefined()
  expect(held(0.3)).toEqual(new Map([[0, 0.3]]))
  const alone = parseQuery('answer')!
  expect(afterSample(alone, sample, SAMPLE)).toBe(alone)
})

describe('the passage that is shown', () => {
  const words = (query: string, text: string) => {
    const passage = passageOf(text, parseQuery(query)!)
    return { ...passage, marked: passage.marks.map(([from, to]) => passage.text.slice(from, to)) }
  }

  test('is the one that contains most of the query, with the matches marked', () => {
    const text = `a walrus ${'x '.repeat(200)} the walrus and two zebras ${'y '.repeat(200)}`
    const passage = words('walrus zebra', text)
    expect(passage.marked).toEqual(['walrus', 'zebras'])
    expect(passage.text).toMatch(/^….*the walrus and two zebras.*…$/)
    expect(passage.text.length).toBeLessThan(190)
  })

  test('begins some words before the first match', () => {
    const { text, marked } = words('walrus', `${'before '.repeat(30)}walrus ${'after '.repeat(30)}`)
    expect(text.indexOf(marked[0]!)).toBeGreaterThan(40)
    expect(text.indexOf(marked[0]!)).toBeLessThan(80)
  })

  test('has its marks where they belong, whatever accents the text has', () => {
    expect(words('strasse cafe', 'Große Stra\u0301ße, ein Café').marked).toEqual(['Stra\u0301ße', 'Café'])
    expect(words('数据库', '关于数据库的').marked).toEqual(['数据库'])
  })

  test('law: marks are inside the passage, in order, and do not overlap', () => {
    const unit = fc.constantFrom('plan', 'ß', 'é', 'e\u0301', ' ', '数据', '😀', 'planResume', '\n')
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 300 }), (units) => {
        const { text, marks } = words('plan resume 数据', units.join(''))
        let last = 0
        for (const [from, to] of marks) {
          expect(from).toBeGreaterThanOrEqual(last)
          expect(to).toBeGreaterThan(from)
          last = to
        }
        expect(last).toBeLessThanOrEqual(text.length)
        expect(Buffer.from(text).toString()).toBe(text)
      }),
    )
  })
})
