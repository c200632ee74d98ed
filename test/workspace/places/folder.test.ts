import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commitOwn, filesOf, type OwnRepository, openOwn } from '../../../src/workspace/git/own-repository.ts'
import { FETCHED, NEXT } from '../../../src/workspace/git/place.ts'
import type { Bundle } from '../../../src/workspace/places/bundle.ts'
import { allIn, headsOf, neededBy } from '../../../src/workspace/places/heads.ts'
import { openPlace } from '../../../src/workspace/places/open-place.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { filesBelow } from '../../helpers/workspace-lab.ts'

function repository(): OwnRepository {
  const own = {
    root: join(tempFolder(), 'own.git'),
    environment: { env: process.env },
    isBare: true,
  } as const
  return openOwn(own, { make: true })!
}

/** Lets NEXT have one more file than the place, and sends it. */
async function send(own: OwnRepository, address: string, name: string): Promise<void> {
  const place = openPlace(own, { address, branch: 'project', kind: 'folder' }, { identities: [] })
  const heads = (await place.state()) === undefined ? [] : await place.heads()
  for (const head of heads) await place.take(head)
  const git = (...args: string[]) => execFileSync('git', ['--git-dir', own.root, ...args])
  git('update-ref', ...(heads.length === 0 ? ['-d', NEXT] : [NEXT, FETCHED]))
  const changes = [{ path: name, bytes: Buffer.from(name) }]
  commitOwn(own, [{ changes, message: name, who: 'Person <p@example.org> 1800000000 +0000' }], NEXT)
  await place.send(heads, { isAnew: false, readers: [] })
  expect(place.unread).toEqual([])
}

// promise: After thirty bundles
test('when there are thirty bundles, one has all and takes the place of the others', async () => {
  const [own, address] = [repository(), tempFolder()]
  const names = Array.from({ length: 31 }, (_, index) => `file ${index}`)
  const counts: number[] = []
  for (const name of names) {
    await send(own, address, name)
    counts.push(Object.keys(filesBelow(address)).length)
  }
  expect(counts).toEqual([...names.slice(0, 30).map((_, index) => index + 1), 1])
  const other = repository()
  const place = openPlace(other, { address, branch: 'project', kind: 'folder' }, { identities: [] })
  await place.state()
  const heads = await place.heads()
  for (const head of heads) await place.take(head)
  expect(filesOf(other, 'all', FETCHED)!.map(({ path }) => path)).toEqual(names.toSorted())
})

const bundle = (commit: string, needs: string[] = [], includes: string[] = []): Bundle => ({
  ...{ commit, needs, includes },
  ...{ project: 'project', packAt: 0 },
})

test('what a head needs comes before it, once', () => {
  const bundles = new Map([
    ['whole', bundle('a')],
    ['left', bundle('b', ['a'], ['whole'])],
    ['right', bundle('c', ['a'], ['whole'])],
    ['head', bundle('d', ['b', 'c'], ['left', 'right'])],
  ])
  expect(headsOf(bundles)).toEqual(['head'])
  expect(allIn(['head'], bundles)).toEqual(new Set(['head', 'left', 'right', 'whole']))
  const order = neededBy('head', bundles, new Set())
  expect(order.toSorted()).toEqual(['head', 'left', 'right', 'whole'])
  expect([order[0], order[3]]).toEqual(['whole', 'head'])
  expect(neededBy('head', bundles, new Set(['a', 'b']))).toEqual(['right', 'head'])
  expect(neededBy('head', bundles, new Set(['d']))).toEqual([])
})

test('bundles that need or include each other end no program', () => {
  const bundles = new Map([
    ['a', bundle('a', ['b'], ['b', 'a'])],
    ['b', bundle('b', ['a'], ['a'])],
    ['c', bundle('c', ['nowhere'])],
  ])
  expect(headsOf(bundles)).toEqual(['c'])
  expect(neededBy('a', bundles, new Set()).at(-1)).toBe('a')
  expect(neededBy('c', bundles, new Set())).toEqual(['c'])
})
