import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type OwnRepository, openOwn } from '../../../src/workspace/git/own-repository.ts'
import { filesInBranch } from '../../../src/workspace/places/in-branch.ts'
import { tempFolder } from '../../helpers/repository.ts'

function repository(): OwnRepository {
  const own = {
    root: join(tempFolder(), 'mirror.git'),
    environment: { env: process.env },
    isBare: true,
  } as const
  return openOwn(own, { make: true })!
}

const HOW = { readers: [], isAnew: false }

// promise: lies there in parts, which a forge takes
test('a large file lies in parts, comes back whole, and goes with all of them', async () => {
  const address = join(tempFolder(), 'place.git')
  execFileSync('git', ['init', '--quiet', '--bare', address])
  const place = { address, branch: 'b' }
  const at = (mirror: OwnRepository) => filesInBranch(mirror, place, { partBytes: 1000 })
  const [one, two] = [repository(), repository()]
  const [large, small, exact] = [randomBytes(11_500), randomBytes(10), randomBytes(1000)]
  const sending = at(one)
  await sending.state()
  await sending.list()
  await sending.write('large.age', large, HOW)
  await sending.write('small.age', small, HOW)
  await sending.write('exact.age', exact, HOW)
  await sending.send()
  const paths = () =>
    execFileSync('git', ['--git-dir', address, 'ls-tree', '--name-only', 'b'], { encoding: 'utf8' })
      .split('\n')
      .filter(Boolean)
  expect(paths()).toHaveLength(14)
  expect(paths()).toContain('large.age.part12')
  const reading = at(two)
  await reading.state()
  expect(await reading.list()).toEqual(['exact.age', 'large.age', 'small.age'])
  expect(await reading.read('large.age')).toEqual(large)
  expect(await reading.read('small.age')).toEqual(small)
  expect(await reading.read('exact.age')).toEqual(exact)
  expect(await reading.read('other.age')).toBeUndefined()
  reading.remove('large.age')
  await reading.write('small.age', randomBytes(2500), HOW)
  await reading.send()
  expect(paths()).toEqual(['exact.age', 'small.age.part01', 'small.age.part02', 'small.age.part03'])
  const again = at(one)
  await again.state()
  expect(await again.list()).toEqual(['exact.age', 'small.age'])
})
