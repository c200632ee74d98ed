import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'

/** Runs a TypeScript program of this folder, which this Node cannot do by itself; ends with its exit code. */
export async function runBundled(name, { args = [], define = {} } = {}) {
  const place = mkdtempSync(join(tmpdir(), 'cortext-bench-'))
  const outfile = join(place, 'program.mjs')
  try {
    await build({
      entryPoints: [join(import.meta.dirname, name)],
      outfile,
      define,
      bundle: true,
      platform: 'node',
      format: 'esm',
      // jsonc-parser's CommonJS build requires files in a way that a bundle cannot follow.
      mainFields: ['module', 'main'],
      // Some of the libraries in it are CommonJS.
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
      },
      logLevel: 'warning',
    })
    process.exitCode = spawnSync(process.execPath, [outfile, ...args], { stdio: 'inherit' }).status ?? 1
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
