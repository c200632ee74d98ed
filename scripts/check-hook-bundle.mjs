// What `cortext hook` loads at every turn of a client has to stay small, and made of our own files alone.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const LIMIT = 40_000
const root = join(import.meta.dirname, '..')

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['src/hook.ts'],
  external: ['./journeys/hooks.js'],
  bundle: true,
  platform: 'node',
  metafile: true,
  write: false,
})
const inputs = Object.entries(metafile.inputs).sort(([, one], [, other]) => other.bytes - one.bytes)
const foreign = inputs.filter(([path]) => path.includes('node_modules'))
const bytes = readFileSync(join(root, 'dist/hook.cjs')).length

process.stdout.write(`dist/hook.cjs: ${bytes} of ${LIMIT} bytes, from ${inputs.length} files\n`)
for (const [path] of foreign) complain(`is in the hook bundle, which holds our own files only: ${path}`)
if (bytes > LIMIT) {
  complain('is over its limit; the largest sources:')
  for (const [path, { bytes: size }] of inputs.slice(0, 10)) complain(`  ${path}: ${size}`)
}

function complain(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
