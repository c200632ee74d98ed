import { describe, expect, test } from 'vitest'
import { match } from '../../src/session/match.ts'
import type { Findable } from '../../src/session/names.ts'
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
  const datedId = `2026-11-21/${id}`
  return { id, datedId, path: `conversations/${datedId}`, title, summary: '', tags: [], ...more }
}

const all = TITLES.map((title, place) => conversation(title, place + 1))
const found = (query: string, some = all) => match(query, some).found.map(({ title }) => title)

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

test('a short word may have no typo, one of up to seven letters one, a longer one two; beginnings count as the word', () => {
  expect(countTypos('rust', 'rust')).toBe(0)
  expect(countTypos('rsut', 'rust')).toBe(1)
  expect(countTypos('desing', 'designers')).toBe(1)
  expect(countTypos('invlidatoin', 'invalidation')).toBe(2)
  expect(countTypos('api', 'app')).toBe(Number.POSITIVE_INFINITY)
  expect(countTypos('dsegin', 'design')).toBe(Number.POSITIVE_INFINITY)
})
