// Imports with `?text` in src/extras/page/: a script or a style for the browser as a text. One plugin for esbuild, which
// builds dist/, and one for vitest, so that tests see the same text.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

/** A style as it is; a script with all that it imports, not minified, so that a person can read it in the page. */
async function textOf(path) {
  if (path.endsWith('.css')) return readFileSync(path, 'utf8')
  const { outputFiles } = await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: [path],
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    charset: 'utf8',
    logLevel: 'warning',
  })
  return outputFiles[0].text
}

const MARK = '?text'
const isText = (path) => path.endsWith(MARK)
const withoutMark = (path) => path.slice(0, -MARK.length)

export const browserTextForEsbuild = {
  name: 'browser-text',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, withoutMark(path)),
      namespace: 'browser-text',
    }))
    onLoad({ filter: /./, namespace: 'browser-text' }, async ({ path }) => ({
      contents: await textOf(path),
      loader: 'text',
    }))
  },
}

/** The name of the module ends with `.js`, so that vite does not take the text for a style. */
export const browserTextForVitest = {
  name: 'browser-text',
  enforce: 'pre',
  resolveId: (path, importer) =>
    isText(path) ? `\0browser-text:${join(importer, '..', withoutMark(path))}.js` : undefined,
  load: async (id) =>
    id.startsWith('\0browser-text:')
      ? `export default ${JSON.stringify(await textOf(id.slice('\0browser-text:'.length, -'.js'.length)))}`
      : undefined,
}
