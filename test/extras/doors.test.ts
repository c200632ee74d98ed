import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const SRC = join(import.meta.dirname, '../../src')

test('an addition is imported only through its index.ts', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
  const past = files.flatMap((path) =>
    [...readFileSync(join(SRC, path), 'utf8').matchAll(/(?:from |import\()'(\.[^']+)'/g)]
      .map(([, target]) => join(dirname(path), target!))
      .filter((target) => {
        const addition = /^extras\/\w+\//.exec(target)?.[0]
        return addition !== undefined && !path.startsWith(addition) && target !== `${addition}index.ts`
      })
      .map((target) => `${path} -> ${target}`),
  )
  expect(past).toEqual([])
})
