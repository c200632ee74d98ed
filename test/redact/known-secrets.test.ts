import { expect, test } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { KnownSecrets } from '../../src/redact/known-secrets.ts'

// Put together here, so that no scanner takes this file for a leak.
const token = (letter: string) => `ghp_${`${letter}1B2c3D4e5F6g7H8i9J0`.repeat(2).slice(0, 36)}`

function knownFrom(...versions: string[]): KnownSecrets {
  const known = new KnownSecrets()
  for (const version of versions) known.add(Buffer.from(version))
  return known
}

test.each(['as it was', 'with a placeholder'])(
  'a secret of a version %s is taken out, and another one stays',
  (how) => {
    const version = `our key is ${token('a')}\n`
    const known = knownFrom(how === 'as it was' ? version : redactText(version).text)
    const text = `another line\nour key is ${token('a')}, theirs ${token('b')}\n`
    const clean = known.takeOut(text)
    expect(clean).not.toContain(token('a'))
    expect(clean).toContain(token('b'))
    expect(clean).toMatch(/^another line\nour key is \[REDACTED:github-token:[0-9a-f]{8}\], theirs /)
  },
)

test('a password is taken out also if its line goes on otherwise, and one with its hash in another line stays', () => {
  const known = knownFrom('password: hunter2-of-the-zoo\n')
  const clean = known.takeOut(
    'password: hunter2-of-the-zoo # for the zoo\nsmtp_password: hunter2-of-the-zoo\n',
  )
  expect(clean).toMatch(
    /^password: \[REDACTED:password:[0-9a-f]{2}\] # for the zoo\nsmtp_password: hunter2-of-the-zoo\n$/,
  )
})

test('a picture has no secrets, and nothing is taken out where none are known', () => {
  const known = new KnownSecrets()
  known.add(Buffer.from([0xff, 0xd8, 0xff]))
  expect(known.takeOut(`our key is ${token('a')}`)).toContain(token('a'))
})
