import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { match } from '../../src/session/match.ts'
import { type Findable, nameOf, numbersOf } from '../../src/session/names.ts'
import { typingSlips } from '../../src/text/typing-slips.ts'

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

describe('match', () => {
  test('X-17, S0-D4f: an exact id comes before all else, with its date or as a path too', () => {
    const api = conversation('API', 8, { id: '008', datedId: '2026-11-21/008' })
    const other = conversation('008', 9)
    const some = [other, api]
    expect(found('008', some)).toEqual(['API'])
    const { id, datedId } = other
    for (const query of [id, datedId, `conversations/${datedId}`, `conversations/${datedId}/`, ` ${id} `])
      expect(found(query, some)).toEqual(['008'])
  })

  test('X-17: a number, with or without its zeros; on several days it is ambiguous', () => {
    expect(found('7')).toEqual(['Learn Rust lifetimes'])
    expect(found('007')).toEqual(['Learn Rust lifetimes'])
    const again = conversation('Another', 7)
    expect(found('7', [...all, again])).toEqual(['Learn Rust lifetimes', 'Another'])
  })

  test('a whole title beats titles that hold it', () => {
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

  test('several that hold every word are several', () => {
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

  test('what comes close is offered, five at most, and never taken', () => {
    const { found: none, nearest } = match('kubernetes networking', all)
    expect(none).toEqual([])
    expect(nearest[0]?.title).toBe('Kubernetes ingress setup')
    expect(match('design of things', all).nearest.length).toBeLessThanOrEqual(5)
  })

  test('fewer slips come first', () => {
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
  expect(nameOf(one, [one, two])).toBe('2026-11-21/001-plan-a')
  expect(nameOf(one, [one])).toBe('001-plan-a')
})

test('slips: none in a short word, one up to seven letters, two beyond, and beginnings count as the word', () => {
  expect(typingSlips('rust', 'rust')).toBe(0)
  expect(typingSlips('rsut', 'rust')).toBe(1)
  expect(typingSlips('desing', 'designers')).toBe(1)
  expect(typingSlips('invlidatoin', 'invalidation')).toBe(2)
  expect(typingSlips('api', 'app')).toBe(Number.POSITIVE_INFINITY)
  expect(typingSlips('dsegin', 'design')).toBe(Number.POSITIVE_INFINITY)
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

  test.each(['11-21/3', '11-21/003', '2026-11-21/3'])('%s finds it', (query) => {
    expect(match(query, all).found).toEqual([all[0]])
  })

  test('law: whatever a list calls a conversation finds it alone', () => {
    const day = fc.constantFrom('2026-11-21', '2026-11-20', '2025-11-21')
    const id = fc.tuple(day, fc.integer({ min: 1, max: 4 }), fc.constantFrom('plan-a', 'debug-b'))
    fc.assert(
      fc.property(fc.uniqueArray(id, { selector: String, minLength: 1, maxLength: 8 }), (ids) => {
        const some = ids.map(([date, number, rest]) => conversation(`${date}/00${number}-${rest}`))
        for (const [one, name] of numbersOf(some)) expect(match(name, some).found).toEqual([one])
      }),
    )
  })
})
