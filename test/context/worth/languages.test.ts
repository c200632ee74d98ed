import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { o200k } from '../../../src/context/tokens/index.ts'
import { isTalk, textOf } from '../../../src/session/live-path.ts'
import { ENGLISH } from './languages/english.ts'
import { LANGUAGES } from './languages/index.ts'
import type { Language, Said } from './languages/language.ts'
import { conversations, spoken } from './measure.ts'
import type { Planted } from './planted.ts'

const NOISE = 0.2
/** So far the talk of a language may be longer or shorter than the English one, in tokens. */
const BOUND = 0.15
const OTHERS = LANGUAGES.filter((language) => language !== ENGLISH)
const MARK = 'kestrel-1230'
/** Chinese and Japanese sentences end in these, with nothing behind. */
const WIDE_END = /^[^。！？]+[。！？]$/

describe.each(OTHERS)('$name', (language) => {
  test('has as many wordings of everything as English', () => {
    expect(sizesOf(language)).toEqual(sizesOf(ENGLISH))
  })

  test('says nothing twice', () => {
    const sentences = sayingsOf(language).map((say) => say('…'))
    expect(new Set(sentences).size).toBe(sentences.length)
    expect(new Set(language.noise).size).toBe(language.noise.length)
    expect(new Set(language.birds).size).toBe(language.birds.length)
  })

  test('has names in its own script', () => {
    for (const bird of language.birds) {
      const mark = language.markOf(bird, '1230')
      expect(mark).toMatch(language.join === '' ? /^[^\u0000-\u024f]+$/ : /[äöüß].*-1230$/i)
    }
  })
})

test.each(LANGUAGES)('$name: every planted sentence has its mark once', ({ wordings, tasks }) => {
  for (const say of [...tasks, ...sentencesOf(wordings)]) expect(say(MARK).split(MARK)).toHaveLength(2)
})

test.each(LANGUAGES.filter(({ join }) => join === ''))(
  '$name: every sentence ends as in that language, once',
  ({ wordings, smallTalk, noise }) => {
    const talk = smallTalk.map((say) => say('a', 'b'))
    for (const one of [...sentencesOf(wordings).map((say) => say(MARK)), ...talk, ...noise])
      expect(one).toMatch(WIDE_END)
  },
)

test('the English conversations are those with which the figures in docs/context.md were measured', () => {
  const messages = conversations(20, NOISE).map((planted) => planted.messages)
  expect(createHash('sha256').update(JSON.stringify(messages)).digest('hex')).toBe(
    '3c2c050d02765555e996900571bc19a5c265f0621617be38bcd9d7ffe2dd00ca',
  )
})

test('a seed gives the same conversation in every language and with all marks', () => {
  const english = conversations(3, NOISE).map(shapeOf)
  for (const speech of spoken()) expect(conversations(3, NOISE, speech).map(shapeOf)).toEqual(english)
})

test('every mark of a conversation is only in its own place', () => {
  for (const speech of spoken())
    for (const { messages, facts } of conversations(3, NOISE, speech)) {
      const text = messages.map(textOf).join('\n')
      for (const { mark } of facts) expect(text.split(mark)).toHaveLength(2)
    }
})

test.each([0.2, 1])('the talk is as long in every language, with noise %s', async (noise) => {
  const { count } = await o200k()
  const talk = (planted: readonly Planted[]): number =>
    planted
      .flatMap(({ messages }) => messages.filter(isTalk))
      .reduce((sum, message) => sum + count(textOf(message)), 0)
  const english = talk(conversations(5, noise))
  for (const { name, ...speech } of spoken()) {
    const ratio = talk(conversations(5, noise, speech)) / english
    expect(Math.abs(ratio - 1), `${name} is ${ratio.toFixed(2)} times as long`).toBeLessThanOrEqual(BOUND)
  }
})

function sayingsOf({ tasks, wordings }: Language): Said[] {
  return [...tasks, ...sentencesOf(wordings)]
}

function sentencesOf({ known, heldOut }: Language['wordings']): Said[] {
  return [known, heldOut].flatMap(({ constraints, decisions, next }) => [
    ...constraints,
    ...decisions,
    ...next,
  ])
}

function sizesOf(language: Language): unknown {
  const { tasks, smallTalk, things, noise, birds, wordings } = language
  const of = ({ constraints, decisions, next }: Language['wordings']['known']): number[] =>
    [constraints, decisions, next].map((list) => list.length)
  return {
    lists: [tasks, smallTalk, things, noise, birds].map((list) => list.length),
    known: of(wordings.known),
    heldOut: of(wordings.heldOut),
  }
}

/** What does not hang on the language: who speaks when, which facts there are, and what tools do. */
function shapeOf({ messages, facts }: Planted): unknown {
  return {
    messages: messages.map(({ content, ...rest }) => ({
      ...rest,
      content: rest.role === 'tool' && rest.is_error !== true ? content : '',
    })),
    facts: facts.map(({ kind, by }) => ({ kind, by })),
  }
}
