import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Offer } from '../../../src/cli/picker/offer.ts'
import { keysIn, type Screen, type Shown, screenOf } from '../../../src/cli/picker/screen.ts'
import { cellsOf } from '../../../src/text/cells.ts'

const PLAIN = { bold: asIs, dim: asIs, chosen: asIs }

function asIs(text: string): string {
  return text
}

function offer(title: string, more: Partial<Offer> = {}): Offer {
  return {
    title,
    type: 'brainstorm',
    when: '2 hours ago',
    client: 'Claude Code',
    messages: 12,
    words: '',
    ...more,
  }
}

const OFFERS = [
  offer('API design for the public endpoints, with versioning and error formats'),
  offer('数据库设计讨论：是否使用发件箱表来保证顺序', { client: 'OpenCode', messages: 340 }),
  offer('Why is the 🚀 release slow?', { type: 'debug', when: 'yesterday', client: 'Gemini CLI' }),
]

const PREVIEW = [
  'API design for the public endpoints, with versioning and error formats',
  'Where it stood: REST, cursor pagination decided; open is how errors look.',
  'You said last: "Which status for a conflict?"',
]

function shown(more: Partial<Shown> = {}): Shown {
  return {
    ...{ offers: OFFERS, active: 0, preview: PREVIEW, note: '', inClient: undefined },
    ...{ all: OFFERS.length, isHelp: false, extras: ['client', 'new', 'archive'] as const },
    ...more,
  }
}

function at(columns: number, rows: number, more: Partial<Shown> = {}): string[] {
  return screenOf(shown(more), { columns, rows, paint: PLAIN })
}

describe('what a person sees', () => {
  // promise: show one screen: your conversations, newest first, and what is known of the highlighted one
  test('in 80 columns: the list, the preview below it, where they are, and the keys', () => {
    expect(at(80, 24)).toEqual([
      '❯ API design for the public endpoints,…     brainstorm  2 hours ago  Claude Code',
      '  数据库设计讨论：是否使用发件箱表来保证…   brainstorm  2 hours ago  OpenCode',
      '  Why is the 🚀 release slow?               debug       yesterday    Gemini CLI',
      '─'.repeat(80),
      ...PREVIEW,
      '1 of 3',
      '↵ go on  → other client  ^N new  ^X archive  / words said  ? help  Esc quit',
    ])
  })

  test('where nothing matches, what is not among the offers', () => {
    const hidden = '14 not shown: 14 quiet for 30 days. All of them: cortext list --all'
    expect(at(100, 24, { offers: [], hidden }).slice(0, 2)).toEqual([
      '  No conversation matches. To search what was said, type / first.',
      `  ${hidden}`,
    ])
    expect(at(100, 5, { offers: [], hidden })).toHaveLength(3)
  })

  test('in 60 columns types make room for titles, and keys that are needed less for those that are needed', () => {
    const lines = at(60, 24)
    expect(lines[0]).toBe('❯ API design for the public…        2 hours ago  Claude Code')
    expect(lines.at(-1)).toBe('↵ go on  → other client  / words said  ? help  Esc quit')
  })

  test('in 120 columns the preview is to the right of the list', () => {
    const lines = at(120, 24)
    expect(lines).toHaveLength(7)
    for (const line of lines.slice(0, -2)) expect(line).toContain('│')
    expect(lines[0]).toMatch(/^❯ API design .*│ API design for the public/)
  })

  test('in 200 columns the list has the number of messages too', () => {
    expect(at(200, 24)[1]).toMatch(/OpenCode +340 +│/)
  })

  test('the author is shown where there is room, and is the first to go where there is less', () => {
    const people = ['Ann', undefined, 'Béla Novák']
    const offers = OFFERS.map((one, n) => ({ ...one, author: () => people[n] }))
    expect(at(200, 24, { offers })[0]).toMatch(/Claude Code +12 {2}Ann +│/)
    expect(at(200, 24, { offers })[2]).toMatch(/Gemini CLI +12 {2}Béla Novák +│/)
    expect(at(80, 24, { offers })).toEqual(at(80, 24))
    const none = OFFERS.map((one) => ({ ...one, author: () => undefined }))
    expect(at(200, 24, { offers: none })).toEqual(at(200, 24))
  })

  test('the preview below the list begins at 16 rows, beside it at 116 columns', () => {
    expect(at(80, 15)).toHaveLength(5)
    expect(at(80, 16)[3]).toBe('─'.repeat(80))
    expect(at(115, 24).join('\n')).not.toContain('│')
    expect(at(116, 24)[0]).toContain('│')
  })

  test('the preview takes half the room and at most eight lines, and says when it is cut', () => {
    const preview = Array.from({ length: 20 }, (_, n) => `line ${n + 1}`)
    const linesAt = (rows: number) => at(80, rows, { preview }).slice(4, -2)
    expect(linesAt(16)).toEqual([...preview.slice(0, 5), '…'])
    expect(linesAt(40)).toEqual([...preview.slice(0, 7), '…'])
  })

  test('a terminal of few rows keeps the list and the keys', () => {
    const lines = at(80, 10, { active: 2 })
    expect(lines).toHaveLength(5)
    expect(lines[2]).toMatch(/^❯ Why is/)
  })

  test('a long list scrolls with the highlighted one', () => {
    const many = Array.from({ length: 5000 }, (_, n) => offer(`Talk ${n}`))
    const lines = at(80, 24, { offers: many, active: 2500, all: 5000 })
    expect(lines.findIndex((line) => line.startsWith('❯ Talk 2500 '))).toBeGreaterThan(2)
    expect(lines.at(-2)).toBe('2501 of 5000')
  })

  test('the status line counts the matches, names another client, and shows the work in progress', () => {
    const note = 'asking the clients for their own sessions'
    expect(at(80, 24, { all: 50, inClient: 'OpenCode', note }).at(-2)).toBe(
      `1 of 3 (50) · client: OpenCode · ${note}`,
    )
    expect(at(80, 24, { offers: [], all: 50 }).at(-2)).toBe('0 of 50')
  })

  test('an empty list says that no conversation matches', () => {
    expect(at(80, 24, { offers: [] })[0]).toContain('No conversation matches')
  })

  test('help lists all keys', () => {
    const help = at(80, 24, { isHelp: true }).join('\n')
    for (const key of ['/words', '↑ ↓', 'Enter', '→ ←', 'Ctrl-N', 'Ctrl-X', 'Esc'])
      expect(help).toContain(key)
  })

  test('keys that do nothing in a picker are left out', () => {
    const help = at(80, 24, { isHelp: true, extras: ['client'] }).join('\n')
    for (const key of ['Ctrl-N', 'Ctrl-X']) expect(help).not.toContain(key)
    expect(keysIn(80, ['client'])).toBe('↵ go on  → other client  / words said  ? help  Esc quit')
    expect(keysIn(80, [])).toBe('↵ go on  / words said  ? help  Esc quit')
  })
})

test('law: nothing is wider than the terminal or longer than it, whatever the texts are', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.lorem({ maxCount: 40 }))
  const line = text.map((one) => one.replace(/[\u0000-\u001f\u007f-\u009f\n]/g, ' '))
  const author = fc.option(line, { nil: undefined }).map((name) => () => name)
  const some = fc.record({ title: line, type: line, when: line, client: line, where: line, author })
  const offers = fc.array(some, { maxLength: 30 }).map((all) => all.map((one) => ({ ...one, words: '' })))
  const size = fc.record({
    columns: fc.integer({ min: 20, max: 220 }),
    rows: fc.integer({ min: 6, max: 60 }),
  })
  fc.assert(
    fc.property(
      offers,
      fc.array(line, { maxLength: 12 }),
      size,
      fc.nat(),
      line,
      (all, preview, { columns, rows }, n, note) => {
        const screen: Screen = { columns, rows, paint: PLAIN }
        const active = all.length === 0 ? 0 : n % all.length
        const lines = screenOf(shown({ offers: all, all: all.length, active, preview, note }), screen)
        expect(lines.length).toBeLessThanOrEqual(rows - 2)
        for (const one of lines) expect(cellsOf(one)).toBeLessThanOrEqual(columns)
        if (all.length > 0) expect(lines.filter((one) => one.startsWith('❯'))).toHaveLength(1)
      },
    ),
  )
})
