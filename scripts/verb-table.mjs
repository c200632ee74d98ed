// The table of verbs as data (src/cli/verb-table.ts): what completes words is built with it, and the man page
// is made of it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** What the verbs do is loaded by none of them here. */
const withoutDeeds = {
  name: 'without-deeds',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\./ }, ({ path, kind }) =>
      kind === 'dynamic-import' ? { path, external: true } : undefined,
    ),
}

/** Reads the table from the sources. */
export async function verbTable() {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-verbs-'))
  try {
    const outfile = join(folder, 'table.mjs')
    await build({
      absWorkingDir: new URL('..', import.meta.url).pathname,
      entryPoints: ['src/cli/verb-table.ts'],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20.19',
      logLevel: 'warning',
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
      banner: {
        js: "import { createRequire } from 'node:module';const require=createRequire(import.meta.url);",
      },
      plugins: [withoutDeeds],
      outfile,
    })
    const built = await import(pathToFileURL(outfile).href)
    return JSON.parse(JSON.stringify(built.verbTable()))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
