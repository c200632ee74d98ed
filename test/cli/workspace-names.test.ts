import { describe, expect, test } from 'vitest'
import { labelsOf, shortPath } from '../../src/cli/everywhere.ts'
import { currentEnvironment } from '../../src/io/environment.ts'

describe('workspaces in a list', () => {
  test('are called by their folders, with as many folders above as make them unique', () => {
    const placed = ['/home/ada/shop', '/home/ada/work/api/docs', '/home/ada/play/api/docs'].map((root) => ({
      root,
    }))
    expect([...labelsOf(placed).values()]).toEqual(['shop', 'work/api/docs', 'play/api/docs'])
  })

  test('have a path that begins with ~ if they are below the home, and not if they are next to it', () => {
    const environment = { ...currentEnvironment(), home: '/home/ada' }
    expect(
      ['/home/ada', '/home/ada/shop', '/home/adam/shop'].map((path) => shortPath(path, environment)),
    ).toEqual(['~', '~/shop', '/home/adam/shop'])
  })
})
