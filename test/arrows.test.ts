import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What the linter's rules about imports (biome.json) cannot say of src/README.md. */

const SRC = join(import.meta.dirname, '..', 'src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

test('only the CLI prints, beside the two doors', () => {
  const printing = files.filter((path) => /\bstd(out|err)\.write\(|\bconsole\./.test(code(path)))
  expect(printing).toContain('cli/print.ts')
  expect(printing.filter((path) => !/^(cli\/|bin\.ts$|hook\.ts$)/.test(path))).toEqual([])
})

test('nothing ends the process: every verb returns, and the door sets the exit code', () => {
  expect(files.filter((path) => /\bprocess\.exit\(/.test(code(path)))).toEqual([])
})

test('the hook loads journeys only when it needs them', () => {
  const statics = [...code('hook.ts').matchAll(/^import .*'\.\/(\w+)/gm)].map(([, room]) => room)
  expect(statics).toContain('store')
  expect(statics).not.toContain('journeys')
})

test('no client is tested for by name outside clients/', () => {
  const naming = files.filter((path) => /[=!]==\s*'(claude|opencode|gemini)'/.test(code(path)))
  expect(naming.filter((path) => !path.startsWith('clients/'))).toEqual([])
})

test('journeys write no file themselves: what lies on disk is known to the rooms below', () => {
  const reading = /^(existsSync|statSync|readFileSync|realpathSync)$/
  const writers = [
    'node:fs/promises',
    'fs',
    'fs-extra',
    'io/atomic-write.ts',
    'io/ensure-folder.ts',
    'io/remove.ts',
  ]
  const journeys = files.filter((path) => path.startsWith('journeys/'))
  const writing = journeys.filter((path) => {
    const names = [...code(path).matchAll(/import ([^;'"]*?) from 'node:fs'/g)].flatMap(([, what]) =>
      what!
        .replace(/[{}]/g, '')
        .split(',')
        .map((name) => name.trim()),
    )
    const others = [...code(path).matchAll(/(?:from |import\()'([^']+)'/g)].map(([, from]) =>
      from!.startsWith('.') ? join(dirname(path), from!) : from!,
    )
    const strange = names.some((name) => name !== '' && !reading.test(name))
    return strange || others.some((from) => writers.includes(from))
  })
  expect(journeys.length).toBeGreaterThan(40)
  expect(writing).toEqual([])
})

function code(path: string): string {
  return readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

test('S4-0-4, S3-A1, S3-L1: what a resume is given is built from messages alone: context/ knows neither disk nor store', () => {
  const context = files.filter((path) => path.startsWith('context/'))
  const imports = context.flatMap((path) =>
    [...code(path).matchAll(/from '([^']+)'/g)].map(([, from]) =>
      from!.startsWith('.') ? join(dirname(path), from!) : from!,
    ),
  )
  expect(imports.filter((from) => !/^(?:context|session)\/|^errors|^gpt-tokenizer/.test(from))).toEqual([])
  expect(context.filter((path) => /import\('(?!gpt-tokenizer)/.test(code(path)))).toEqual([])
})

test('CARD-1, CARD-2: the binary is cortext, and the libraries that were chosen are the ones in use', () => {
  const { bin, devDependencies } = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package.json'), 'utf8'),
  )
  expect(Object.keys(bin)).toEqual(['cortext'])
  const libraries = [
    'commander',
    'zod',
    'fs-extra',
    'fast-glob',
    'fuse.js',
    'execa',
    'simple-git',
    '@inquirer/prompts',
  ]
  for (const name of libraries) {
    expect(devDependencies).toHaveProperty(name)
    expect(files.some((path) => code(path).includes(`'${name}`))).toBe(true)
  }
})
