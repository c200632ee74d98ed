// Makes imports with `?text` in src/extras/ the text of a script or a style. One plugin is for esbuild, which builds
// dist/, and one for vitest, so that tests see the same text.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as esbuild from 'esbuild'
import { collecting } from './notices.mjs'

const { build, inputs } = collecting(esbuild.build)
/** The sources of the scripts that were built, as esbuild's metafiles name them. */
export const textInputs = inputs

/** Makes TypeScript one script for the browser, readable and not minified. Other files stay as they are. */
async function textOf(path) {
  if (!path.endsWith('.ts')) return readFileSync(path, 'utf8')
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

export const textImportsForEsbuild = {
  name: 'text-imports',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /\?text$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, withoutMark(path)),
      namespace: 'text-imports',
    }))
    onLoad({ filter: /./, namespace: 'text-imports' }, async ({ path }) => ({
      contents: await textOf(path),
      loader: 'text',
    }))
  },
}

/** The name of the module ends with `.js`, so that vite does not treat the text as a style. */
export const textImportsForVitest = {
  name: 'text-imports',
  enforce: 'pre',
  resolveId: (path, importer) =>
    isText(path) ? `\0text-imports:${join(importer, '..', withoutMark(path))}.js` : undefined,
  load: async (id) =>
    id.startsWith('\0text-imports:')
      ? `export default ${JSON.stringify(await textOf(id.slice('\0text-imports:'.length, -'.js'.length)))}`
      : undefined,
}
