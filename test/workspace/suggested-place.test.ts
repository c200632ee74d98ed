import { expect, test } from 'vitest'
import { suggestedPlace } from '../../src/workspace/suggested-place.ts'

const read = (place: string | undefined) => suggestedPlace({ sync: { place } })

test.each([
  'git@example.org:team/conversations.git',
  'ssh://git@example.org:2222/team/conversations.git',
  'https://example.org/team/conversations.git',
  'file:///srv/git/team.git',
  '/srv/git/team.git',
  '/mnt/the team/Gespräche',
])('an address is taken as it is: %s', (address) => {
  expect(read(address)).toEqual({ address })
})

test('no setting is no place', () => {
  expect(read(undefined)).toBeUndefined()
})

test.each([
  ['below a folder', 'team/conversations'],
  ['of a folder above', '../team.git'],
  ['that goes up', '/srv/../etc/team.git'],
  ['with a word of a user', 'https://token@example.org/x.git'],
  ['with a password', 'ssh://git:hunter2@example.org/x.git'],
  ['with a mark that turns the direction', '/srv/\u202egit.maet'],
  ['with two spaces', '/srv/a  b'],
  ['that begins with a space', ' /srv/team.git'],
  ['with a tab', '/srv/a\tb'],
])('an address %s is refused, in words without it', (_, text) => {
  const found = read(text)
  expect(found).toEqual({ problem: expect.any(String) })
  expect(JSON.stringify(found)).not.toContain(text.trim().slice(1))
})
