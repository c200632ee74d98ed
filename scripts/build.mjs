// Builds dist/. The door, the hooks and the completion are single files, because they must start fast. The CLI is in
// chunks, so that each verb loads only what it uses. Everything is CommonJS, which node loads faster than ES modules.
// The library also has a door for ES modules, and its types. npm's `prepare` runs this script.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as esbuild from 'esbuild'
import { clientIds, onlyClient } from './hook-bundles.mjs'
import { collecting, noticesOf, packagesOf } from './notices.mjs'
import { pluginIds, pluginOf } from './plugins.mjs'
import { textImportsForEsbuild, textInputs } from './text-imports.mjs'
import { verbTable } from './verb-table.mjs'

// CI builds once, because a build would remove dist/ while other steps use it (tests, `npm pack`).
if (process.env.CORTEXT_BUILT) process.exit()

const { version, bugs, engines } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
)
const root = fileURLToPath(new URL('..', import.meta.url))
const { build, inputs } = collecting(esbuild.build)
const output = {
  minify: true,
  platform: 'node',
  target: 'node20.19',
  legalComments: 'none',
  logLevel: 'warning',
}
const bundle = {
  ...output,
  absWorkingDir: root,
  bundle: true,
  define: {
    __VERSION__: JSON.stringify(version),
    __NODE__: JSON.stringify(engines.node.replace('>=', '')),
    __BUGS__: JSON.stringify(bugs?.url ?? ''),
    __SOURCES__: JSON.stringify(hashOfSources()),
  },
  outdir: 'dist',
  // The other form of this package cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  outExtension: { '.js': '.cjs' },
}
/** Makes each `import()` a `require()`, because node parses a CommonJS file twice when it is imported. */
const commonJs = { format: 'cjs', supported: { 'dynamic-import': false } }
/** Sources import other bundles by the names that TypeScript knows, so these become the names in dist/. */
const siblings = {
  name: 'siblings',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/journeys\/hooks\.c?js$/ }, ({ path }) => ({
      path: path.replace(/c?js$/, 'cjs'),
      external: true,
    })),
}

/** The tokenizer is the largest part, so the bundles share one file of it. */
const TOKENIZER = 'gpt-tokenizer/encoding/o200k_base'
const sharedTokenizer = {
  name: 'shared-tokenizer',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${TOKENIZER}$`) }, () => ({ path: '../tokenizer.cjs', external: true })),
}

/** The SDK of `cortext mcp` is large too. Only that verb needs it, so it has a file of its own. */
const SDK = 'src/cli/verbs/mcp/sdk.ts'
const ownSdk = {
  name: 'own-sdk',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/sdk\.ts$/ }, () => ({ path: '../mcp-sdk.cjs', external: true })),
}

/**
 * Only settings of Codex CLI are TOML, so the parser has a file of its own, which is loaded with the first settings.
 */
const ownToml = {
  name: 'own-toml',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^smol-toml$/ }, () => ({ path: '../toml.cjs', external: true })),
}

/** Commander loads this module, but needs it only for verbs that are programs of their own, and we have none. */
const withoutPrograms = {
  name: 'without-programs',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^node:child_process$/ }, ({ importer }) =>
      /[\\/]commander[\\/]/.test(importer) ? { path: 'nothing', namespace: 'nothing' } : undefined,
    )
    onLoad({ filter: /./, namespace: 'nothing' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** Leaves out half of the SDK: it checks the answers of a person, and our server asks no person. */
const withoutValidator = {
  name: 'without-validator',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    })),
}

/** Makes the tokenizer's table JSON, which V8 reads in half the time of the same array as code. */
const tableAsJson = {
  name: 'table-as-json',
  setup: ({ onLoad }) =>
    onLoad({ filter: /bpeRanks\/o200k_base\.js$/ }, async ({ path }) => {
      const { default: table } = await import(pathToFileURL(path).href)
      return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(table))})` }
    }),
}

const URL_OF_THIS_FILE = "const URL_OF_THIS_FILE=require('node:url').pathToFileURL(__filename).href;"

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })

for (const client of clientIds)
  await build({
    ...bundle,
    ...commonJs,
    entryPoints: { [`hook-${client}`]: 'src/hook.ts' },
    plugins: [siblings, onlyClient(client)],
  })
// An old node must be able to parse these two, to say that it is too old.
const forOldNodes = { ...bundle, ...commonJs, target: 'node12' }
await build({ ...forOldNodes, entryPoints: { bin: 'src/bin.ts' }, banner: { js: '#!/usr/bin/env node' } })
await build({ ...forOldNodes, entryPoints: { 'old-node': 'src/old-node.ts' } })
const verbs = await verbTable()
await build({
  ...bundle,
  ...commonJs,
  define: { ...bundle.define, __VERBS__: JSON.stringify(verbs), 'import.meta.url': 'URL_OF_THIS_FILE' },
  banner: { js: URL_OF_THIS_FILE },
  entryPoints: { complete: 'src/extras/completion/entry.ts' },
})
await build({ ...bundle, ...commonJs, entryPoints: { progress: 'src/cli/progress/spinner.ts' } })
await build({ ...bundle, ...commonJs, entryPoints: { tokenizer: TOKENIZER }, plugins: [tableAsJson] })
await build({
  ...bundle,
  ...commonJs,
  stdin: { contents: "export { parse } from 'smol-toml'", resolveDir: root },
  outdir: undefined,
  outfile: 'dist/toml.cjs',
})
await build({ ...bundle, ...commonJs, entryPoints: { 'mcp-sdk': SDK }, plugins: [withoutValidator] })
// Built one after the other, because a common build would split the code into more and smaller chunks.
await buildInChunks(['cli/index', 'cli/serve'])
await buildInChunks(['journeys/hooks'])
// The library is not minified: if a program does not catch an error of it, node prints the line that threw the error.
await buildInChunks(['library/index'], { minify: false })
writeLibraryDoor()
const pluginSources = []
for (const client of pluginIds) {
  const { text, sources } = await pluginOf(client)
  writeFileSync(join(root, `dist/${client}-plugin.js`), text)
  pluginSources.push(...sources)
}
const packages = packagesOf([...inputs, ...textInputs, ...pluginSources])
writeFileSync(join(root, 'dist/NOTICES.txt'), noticesOf(root, packages))

/** esbuild makes chunks only of ES modules, so each chunk is made CommonJS afterwards. */
async function buildInChunks(entries, options = {}) {
  const { outputFiles } = await build({
    ...bundle,
    ...options,
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    format: 'esm',
    splitting: true,
    chunkNames: `${dirname(entries[0])}/[name]-[hash]`,
    write: false,
    plugins: [sharedTokenizer, ownSdk, ownToml, withoutPrograms, textImportsForEsbuild],
  })
  for (const { path, text } of outputFiles) {
    const { code } = await esbuild.transform(text, {
      ...output,
      ...options,
      ...commonJs,
      define: { 'import.meta.url': 'URL_OF_THIS_FILE' },
    })
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code.includes('URL_OF_THIS_FILE') ? URL_OF_THIS_FILE + code : code)
  }
}

/**
 * Writes the ES module of the library and its types. The library itself is one CommonJS module, so that both kinds of
 * programs have the same CortextError. One file declares the types of index.ts and errors.ts, which is why index.ts
 * takes no type from other files.
 */
function writeLibraryDoor() {
  const folder = join(root, 'dist/library')
  writeFileSync(join(folder, 'index.mjs'), "export { CortextError, openStore } from './index.cjs'\n")
  const temporary = mkdtempSync(join(tmpdir(), 'cortext-types-'))
  try {
    const tsc = fileURLToPath(import.meta.resolve('typescript/package.json')).replace(
      'package.json',
      'bin/tsc',
    )
    const options = ['--declaration', '--emitDeclarationOnly', '--noCheck', '--outDir', temporary]
    execFileSync(process.execPath, [
      tsc,
      '--project',
      root,
      '--noEmit',
      'false',
      ...options,
      '--rootDir',
      root,
    ])
    const [index, errors] = ['library/index', 'errors'].map((name) =>
      readFileSync(join(temporary, `src/${name}.d.ts`), 'utf8'),
    )
    const own = index.replace(/^export .* from '\.\.\/errors\.ts';\n/m, '')
    if (/^import|from '/m.test(own)) throw new Error(`the types of the library need other files:\n${own}`)
    for (const ending of ['d.mts', 'd.cts']) writeFileSync(join(folder, `index.${ending}`), errors + own)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** Caches on disk are valid until this hash changes. It is the same in every bundle, unlike a hash of minified code. */
function hashOfSources() {
  const hash = createHash('sha256')
  const names = readdirSync(join(root, 'src'), { recursive: true }).filter((name) =>
    /\.(ts|css|bash|zsh|fish)$/.test(name),
  )
  for (const name of names.sort()) hash.update(`${name}\n${readFileSync(join(root, 'src', name), 'utf8')}`)
  return hash.digest('hex').slice(0, 16)
}
