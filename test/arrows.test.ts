import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

function code(path: string): string {
  return readFileSync(join(SRC, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}
