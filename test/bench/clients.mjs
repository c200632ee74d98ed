// `node test/bench/clients.mjs [client…] [--runs=5] [--offline]`: how long the real clients take to start in a
// workspace with cortext and in one without, in turns, so that both see the machine in the same mood. It uses the labs
// of the end-to-end tests; their set-up must have installed the clients. Asserts nothing.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const place = mkdtempSync(join(tmpdir(), 'cortext-bench-clients-'))
const outfile = join(place, 'starts.cjs')
try {
  await build({
    entryPoints: [join(import.meta.dirname, 'starts.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'warning',
    // The labs look for their helpers beside themselves.
    define: { 'import.meta.dirname': JSON.stringify(join(import.meta.dirname, '../e2e')) },
  })
  const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = status ?? 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
