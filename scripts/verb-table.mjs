// Reads the table of verbs as data (src/cli/verb-table.ts). The completion contains it, and the man page is made from
// it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

/** Leaves out the code of the verbs, which they load by `import()`. */
const withoutActions = {
  name: 'without-actions',
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
      absWorkingDir: join(import.meta.dirname, '..'),
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
      plugins: [withoutActions],
      outfile,
    })
    const built = await import(pathToFileURL(outfile).href)
    return JSON.parse(JSON.stringify(built.verbTable()))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
