import { describe, expect, test } from 'vitest'
import { activityDrawing } from '../../../src/extras/page/html/activity.ts'
import { type Card, indexPage } from '../../../src/extras/page/html/index-page.ts'
import { indexedWords, indexWords } from '../../../src/extras/page/html/index-words.ts'
import { said } from '../../session/conversations.ts'
import { HOSTILE_TEXTS } from './hostile.ts'

function card(more: Partial<Card> = {}): Card {
  return {
    page: 'pages/a.html',
    title: 'API design',
    summary: 'REST or GraphQL',
    type: 'plan',
    status: 'paused',
    tags: ['api'],
    clients: ['Claude Code'],
    people: ['Ann'],
    lastActive: '2026-11-21T10:00:00Z',
    messages: 3,
    ...more,
  }
}

const page = (cards: Card[], words = indexWords([])) =>
  indexPage({ cards, words, days: new Map([['2026-11-21', 3]]), name: 'project', zone: 'UTC' })

test.each(Object.entries(HOSTILE_TEXTS))(
  'a conversation with %s in every place adds no element',
  (_name, text) => {
    const bound = text.slice(0, 3000)
    const one = card({
      title: bound,
      summary: bound,
      type: bound,
      status: bound,
      tags: [bound],
      people: [bound],
      clients: [bound],
    })
    const made = page(
      [one, card()],
      indexWords([indexedWords([said('1', { content: text })], [text]), new Set()]),
    )
    expect(made.match(/<script/g)).toHaveLength(2)
    expect(made.match(/<(iframe|object|embed|base|form|math|template|img|style)\b/g)).toEqual(['<style'])
    expect(made.match(/<[^>"]*(?:"[^"]*"[^>"]*)*\son\w+=/)).toBe(null)
    expect(made).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  },
)

test('the index lists conversations by day, newest first, with summary, tags and people', () => {
  const made = page([card(), card({ title: 'Older', type: 'debug', lastActive: '2026-11-02T10:00:00Z' })])
  expect(made.indexOf('Saturday 21 November 2026')).toBeLessThan(made.indexOf('Monday 2 November 2026'))
  expect(made).toContain('<option value="debug">debug</option>')
  // One client is nothing to choose from.
  expect(made).not.toContain('id="client"')
})

test('the search words of a conversation are those of persons and agents', () => {
  const words = indexedWords(
    [said('1', { content: 'Größe: naïve_name x' }), said('2', { role: 'tool', content: 'output' })],
    ['Title'],
  )
  expect([...words]).toEqual(['title', 'größe', 'naïve_name'])
  expect(indexWords([new Set(['b', 'a']), new Set(['b'])])).toEqual({
    words: ['a', 'b'],
    places: [[0], [0, 1]],
  })
})

describe('the drawing of activity', () => {
  test('has a cell for each day of the year up to the newest, and describes itself in words', () => {
    const drawing = activityDrawing(
      new Map([
        ['2026-11-21', 3],
        ['2026-11-20', 70],
        ['', 9],
      ]),
    )!.text
    expect(drawing).toContain('aria-label="73 messages on 2 days of the year up to 2026-11-21"')
    expect(drawing.match(/<rect/g)).toHaveLength(52 * 7 + 6)
    expect(drawing.match(/class="l4"/g)).toHaveLength(1)
  })

  test('is omitted when there are no messages', () => {
    expect(activityDrawing(new Map())).toBe(undefined)
  })
})
