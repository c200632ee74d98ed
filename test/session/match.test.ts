import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { match } from '../../src/session/match.ts'
import { type Findable, looksLikeName, namedExactly, namesOf, numbersOf } from '../../src/session/names.ts'
import { countTypos } from '../../src/text/count-typos.ts'

const TITLES = `API Design Discussion
Database migration plan
Login page redesign
Fix flaky checkout test
Quarterly budget review
Weekly team sync
Learn Rust lifetimes
GraphQL vs REST
Payment gateway timeout
Onboarding email copy
Kubernetes ingress setup
Memory leak in worker
Search index rebuild
Postgres vacuum tuning
Release notes for 2.4
Customer interview summary
Dark mode colours
Refactor auth middleware
CSV export encoding
Websocket reconnect logic
Terraform state locking
Mobile navigation menu
Retro for sprint 12
Pricing page experiment
Rate limiter design
Docker image size
Typescript strict mode
Cache invalidation strategy
Accessibility audit
Logging format
Monthly newsletter ideas
Hiring plan for backend
Data retention policy
Image upload pipeline
Password reset bug
Feature flags cleanup
Unit test coverage
Roadmap for next year
Holiday schedule
Vendor contract review
Incident postmortem March
Calendar integration
Notification preferences
Query performance
Backup and restore drill
Style guide for docs
Event sourcing basics
Git branching model
Localization workflow
Analytics dashboard
Error handling conventions
Session resume in terminal
Browser extension prototype
Machine learning course
Budget for conference travel
Garden watering automation
Recipe for sourdough
Reading list on distributed systems
Interview questions for designers
Untitled`.split('\n')

function conversation(title: string, number: number, more: Partial<Findable> = {}): Findable {
  const id = `${String(number).padStart(3, '0')}-plan-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return { id, datedId: `2026-11-21/${id}`, title, summary: '', tags: [], ...more }
}

const all = TITLES.map((title, place) => conversation(title, place + 1))
const found = (query: string, some = all) => match(query, some).found.map(({ title }) => title)

describe('namedExactly', () => {
  const named = (name: string, some: readonly Findable[]) =>
    namedExactly(name, some).map(({ title }) => title)

  test('X-17, S0-D4f: finds by id, or by date and id', () => {
    const [api, other] = [conversation('API', 8, { key: 'discord:1' }), conversation('API', 9)]
    for (const name of [api.id, api.datedId, 'discord:1'])
      expect(namedExactly(name, [other, api])).toEqual([api])
  })

  test('X-17: finds by number, with or without its zeros; a number of several days is ambiguous', () => {
    expect(named('7', all)).toEqual(['Learn Rust lifetimes'])
    expect(named('007', all)).toEqual(['Learn Rust lifetimes'])
    const again = conversation('Another', 7, { datedId: '2026-11-22/007-plan-another' })
    expect(named('7', [...all, again])).toEqual(['Learn Rust lifetimes', 'Another'])
  })

  test('an id, a key or a number that two conversations have means both', () => {
    const [one, two] = [conversation('One', 7), conversation('Two', 9, { key: '7' })]
    const three = conversation('Three', 7, { id: '7', datedId: 'old/7' })
    expect(named('7', [one, two, three])).toEqual(['One', 'Two', 'Three'])
    expect(numbersOf([one, two, three]).get(one)).toBe('11-21/7')
  })

  test('a conversation has the same name in a list of a few as in a list of all', () => {
    const drawn = fc.record({
      id: fc.constantFrom('7', '007-a', '7-b', '08-a', '11-21/7', '2026-11-21/8', 'a', '-7', '7a'),
      day: fc.constantFrom('2026-11-21', '2026-11-22', '2025-11-21', 'old'),
      key: fc.option(fc.constantFrom('7', '8', '11-21/7', '007-a', 'a', '2026-11-21/007-a'), {
        nil: undefined,
      }),
    })
    fc.assert(
      fc.property(fc.array(drawn, { minLength: 1, maxLength: 6 }), (several) => {
        const made = several.map(({ id, day, key }) =>
          conversation('Any', 1, { id, datedId: `${day}/${id}`, ...(key === undefined ? {} : { key }) }),
        )
        for (const naming of [namesOf, numbersOf])
          for (const one of made) expect(naming([one], made).get(one)).toBe(naming(made).get(one))
        for (const one of made) {
          const number = numbersOf([one], made).get(one)!
          if (number !== one.datedId) expect(namedExactly(number, made)).toEqual([one])
        }
      }),
    )
  })

  test.each([
    ...[
      'learn rust lifetimes',
      'Learn Rust lifetimes',
      '7abc',
      '-7',
      '+7',
      '0',
      '07-plan',
      '\uff17',
      '7 8',
      '',
      ' ',
    ],
    ...[
      '007-plan-api-design-discussion',
      '007-plan-learn-rust',
      '007-plan-learn-rust-lifetime',
      'plan',
      '2026-11-21',
    ],
    ...[
      '2025-11-21/007-plan-learn-rust-lifetimes',
      '../2026-11-21/7',
      '11-20/7',
      '2026-11-21/77',
      '1e0',
      '0x7',
      '7.0',
    ],
  ])('"%s" names nothing', (name) => expect(named(name, all)).toEqual([]))

  test('law: nothing but its own names finds a conversation', () => {
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.string({ maxLength: 3 }), fc.nat(), (one, put, at) => {
        const place = at % (one.datedId.length + 1)
        const typed = `${one.datedId.slice(0, place)}${put}${one.datedId.slice(place)}`
        const own = typed === one.datedId || typed.replace(/(?<=\/)0+/, '') === one.datedId
        if (!own) expect(named(typed, [one])).toEqual([])
      }),
    )
  })
})

test.each([
  '12',
  '012',
  '-3',
  '\uff11\uff12',
  '003-plan-x',
  '2026-11-21/3',
  '../../etc',
  'a/b',
  './x',
  '~',
  '..\\x',
])('"%s" can only be a name', (text) => expect(looksLikeName(text)).toBe(true))

test.each(['sprint 12', '12abc', 'api design', '3-way merge', 'ci/cd setup', 'v2.0', ''])(
  '"%s" can be words',
  (text) => expect(looksLikeName(text)).toBe(false),
)

describe('match', () => {
  test('a whole title comes before titles that contain it', () => {
    const some = [conversation('API design notes', 1), conversation('Api  Design', 2)]
    expect(found('api design', some)).toEqual(['Api  Design'])
  })

  test('E-5, X-17: every word in title, id, summary or tags; hyphens are spaces, accents and case do not count', () => {
    const one = conversation('Café', 3, {
      id: '003-brainstorm-api-design',
      summary: 'Leaning to REST.',
      tags: ['späti'],
    })
    for (const query of [
      'api design',
      'API-Design',
      'design api',
      'cafe',
      'leaning rest',
      'spati cafe',
      '"api design"',
    ])
      expect(found(query, [conversation('Other', 1), one])).toEqual(['Café'])
  })

  test('all conversations that contain every word are found', () => {
    expect(found('design')).toEqual([
      'API Design Discussion',
      'Login page redesign',
      'Rate limiter design',
      'Interview questions for designers',
    ])
  })

  test.each([
    ['api desing', 'API Design Discussion'],
    ['databse migration', 'Database migration plan'],
    ['lgoin page', 'Login page redesign'],
    ['flakey checkout', 'Fix flaky checkout test'],
    ['budjet review', 'Quarterly budget review'],
    ['weekly snyc', 'Weekly team sync'],
    ['rust liftimes', 'Learn Rust lifetimes'],
    ['grapql rest', 'GraphQL vs REST'],
    ['paymnet timeout', 'Payment gateway timeout'],
    ['onbording', 'Onboarding email copy'],
    ['kubernets', 'Kubernetes ingress setup'],
    ['memroy leak', 'Memory leak in worker'],
    ['serach index', 'Search index rebuild'],
    ['postgress tuning', 'Postgres vacuum tuning'],
    ['refactr auth', 'Refactor auth middleware'],
    ['websoket', 'Websocket reconnect logic'],
    ['teraform', 'Terraform state locking'],
    ['typescrpt', 'Typescript strict mode'],
    ['cache invaldation', 'Cache invalidation strategy'],
    ['accesibility', 'Accessibility audit'],
    ['retension policy', 'Data retention policy'],
    ['roadmpa', 'Roadmap for next year'],
    ['postmorten', 'Incident postmortem March'],
    ['calender', 'Calendar integration'],
    ['bakcup', 'Backup and restore drill'],
    ['localisation', 'Localization workflow'],
    ['analitics', 'Analytics dashboard'],
    ['sourdogh', 'Recipe for sourdough'],
  ])('S0-D4g, X-17: "%s" finds "%s" and nothing else', (query, title) =>
    expect(found(query)).toEqual([title]),
  )

  test.each([
    'nosuch',
    'banana',
    'quantum physics',
    'xyzzy',
    'helicopter',
    'foo',
    'invoice',
    'marketing',
    'chess',
    'nothing',
    'weather forecast',
    'python',
    'nginx',
    'api banana',
    '!!!',
    ' ',
  ])('"%s" finds nothing', (query) => expect(found(query)).toEqual([]))

  test('similar conversations are offered, at most five, and never chosen', () => {
    const { found: none, nearest } = match('kubernetes networking', all)
    expect(none).toEqual([])
    expect(nearest[0]?.title).toBe('Kubernetes ingress setup')
    expect(match('design of things', all).nearest.length).toBeLessThanOrEqual(5)
  })

  test('a number is not found in a longer number, nor with a typo', () => {
    const some = [conversation('Retro 2025', 1), conversation('Sprint 12', 2)]
    expect(found('20', some)).toEqual([])
    expect(found('2026', some)).toEqual([])
    expect(found('12', some)).toEqual(['Sprint 12'])
  })

  test('of several words, one similar word is enough for a conversation to be offered', () => {
    expect(match('databse zebra', all).nearest[0]?.title).toBe('Database migration plan')
    expect(match('qwertz', all).nearest).toEqual([])
    expect(match('001-brainstorm-api-desing', all).nearest[0]?.title).toBe('API Design Discussion')
  })

  test('fewer typos come first', () => {
    expect(
      found('retentoin polciy', [
        conversation('Detention policy', 1),
        conversation('Retention policy', 2),
      ])[0],
    ).toBe('Retention policy')
  })
})

test('the same id on two days is named with its date', () => {
  const [one, two] = [conversation('A', 1), conversation('A', 1, { datedId: '2026-11-22/001-plan-a' })]
  expect(namesOf([one], [one, two]).get(one)).toBe('2026-11-21/001-plan-a')
  expect(namesOf([one]).get(one)).toBe('001-plan-a')
})

test('a short word may have no typo, one of up to seven letters one, a longer one two; beginnings count as the word', () => {
  expect(countTypos('rust', 'rust')).toBe(0)
  expect(countTypos('rsut', 'rust')).toBe(1)
  expect(countTypos('desing', 'designers')).toBe(1)
  expect(countTypos('invlidatoin', 'invalidation')).toBe(2)
  expect(countTypos('api', 'app')).toBe(Number.POSITIVE_INFINITY)
  expect(countTypos('dsegin', 'design')).toBe(Number.POSITIVE_INFINITY)
})

describe('a number with its day', () => {
  const conversation = (datedId: string): Findable => ({
    ...{ id: datedId.slice(11), datedId, title: 'Anything', summary: '', tags: [] },
  })
  const all = ['2026-11-21/003-plan-a', '2026-11-20/003-plan-b', '2025-11-20/003-plan-c', '2026-11-20/x'].map(
    conversation,
  )

  test('names a conversation, shorter where that is enough', () => {
    expect([...numbersOf(all).values()]).toEqual(['11-21/3', '2026-11-20/3', '2025-11-20/3', '2026-11-20/x'])
    expect([...numbersOf(all.slice(0, 1)).values()]).toEqual(['3'])
  })

  test.each(['11-21/3', '11-21/003', '2026-11-21/3', '2026-11-21/003'])('%s finds it', (query) => {
    expect(namedExactly(query, all)).toEqual([all[0]])
  })

  test('law: whatever a list calls a conversation finds it alone', () => {
    const day = fc.constantFrom('2026-11-21', '2026-11-20', '2025-11-21')
    const id = fc.tuple(day, fc.integer({ min: 1, max: 4 }), fc.constantFrom('plan-a', 'debug-b'))
    fc.assert(
      fc.property(fc.uniqueArray(id, { selector: String, minLength: 1, maxLength: 8 }), (ids) => {
        const some = ids.map(([date, number, rest]) => conversation(`${date}/00${number}-${rest}`))
        for (const names of [numbersOf(some), namesOf(some)])
          for (const [one, name] of names) expect(namedExactly(name, some)).toEqual([one])
      }),
    )
  })
})
