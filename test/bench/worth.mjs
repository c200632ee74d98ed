// Bundles worth.ts, since this Node cannot run TypeScript, and runs it.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

const place = mkdtempSync(join(tmpdir(), 'cortext-worth-'))
const outfile = join(place, 'worth.mjs')
try {
  await build({
    entryPoints: [join(import.meta.dirname, 'worth.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  })
  process.exitCode = spawnSync(process.execPath, [outfile], { stdio: 'inherit' }).status ?? 1
} finally {
  rmSync(place, { recursive: true, force: true })
}
