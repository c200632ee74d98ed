// Builds dist/: the door, the hook and what completes words (start-up time is theirs), and the CLI in chunks, so that
// each verb loads only what it uses. All of it CommonJS, which node loads faster than ES modules; the library with a
// door for those, and its types. Run by npm's `prepare`.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, transform } from 'esbuild'
import { clientIds, onlyClient } from './hook-bundles.mjs'
import { openCodePlugin } from './opencode-plugin.mjs'
import { textImportsForEsbuild } from './text-imports.mjs'
import { verbTable } from './verb-table.mjs'

// CI builds once: what it runs side by side, tests and `npm pack`, must not take dist/ away from each other.
if (process.env.CORTEXT_BUILT) process.exit()

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const root = new URL('..', import.meta.url).pathname
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
  define: { __VERSION__: JSON.stringify(version), __SOURCES__: JSON.stringify(hashOfSources()) },
  outdir: 'dist',
  // The other form of it cannot be bundled.
  alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
  outExtension: { '.js': '.cjs' },
}
/** `import()` as a `require()`; a CommonJS file that is imported would be parsed twice. */
const commonJs = { format: 'cjs', supported: { 'dynamic-import': false } }
/** The sources call each other by the names that TypeScript knows. */
const siblings = {
  name: 'siblings',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/journeys\/hooks\.c?js$/ }, ({ path }) => ({
      path: path.replace(/c?js$/, 'cjs'),
      external: true,
    })),
}

/** The tokenizer is the largest part, and what is built apart shares it. */
const TOKENIZER = 'gpt-tokenizer/encoding/o200k_base'
const sharedTokenizer = {
  name: 'shared-tokenizer',
  setup: ({ onResolve }) =>
    onResolve({ filter: new RegExp(`^${TOKENIZER}$`) }, () => ({ path: '../tokenizer.cjs', external: true })),
}

/** The SDK of `cortext mcp` is large too, and nothing else needs any of it, so it has a file of its own. */
const SDK = 'src/cli/verbs/mcp/sdk.ts'
const ownSdk = {
  name: 'own-sdk',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/sdk\.ts$/ }, () => ({ path: '../mcp-sdk.cjs', external: true })),
}

/** Only settings of Codex CLI are TOML, and what reads them is loaded at the first one. */
const ownToml = {
  name: 'own-toml',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^smol-toml$/ }, () => ({ path: '../toml.cjs', external: true })),
}

/**
 * The SDK loads half of its size to check what a person is asked for. Our server asks nobody, so this stands for it.
 */
const withoutValidator = {
  name: 'without-validator',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@modelcontextprotocol\/sdk\/dist\/esm\/validation\/ajv-provider\.js$/ }, () => ({
      contents: 'export class AjvJsonSchemaValidator {}',
    })),
}

/** Its table: V8 reads a long text of JSON in half the time of the same array as code. */
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
await build({
  ...bundle,
  ...commonJs,
  entryPoints: { bin: 'src/bin.ts' },
  plugins: [siblings],
  banner: { js: '#!/usr/bin/env node' },
})
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
// Apart from each other: built together they would cut each other's code into more and smaller chunks.
await buildInChunks(['cli/index', 'cli/serve'])
await buildInChunks(['journeys/hooks'])
// Where a program does not catch what the library throws, node prints the line that threw it.
await buildInChunks(['library/index'], { minify: false })
writeLibraryTypes()
writeFileSync(join(root, 'dist/opencode-plugin.js'), (await openCodePlugin()).text)

/** esbuild makes chunks of ES modules only, so they are made into CommonJS afterwards, one by one. */
async function buildInChunks(entries, options = {}) {
  const { outputFiles } = await build({
    ...bundle,
    ...options,
    entryPoints: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    format: 'esm',
    splitting: true,
    chunkNames: `${dirname(entries[0])}/[name]-[hash]`,
    write: false,
    plugins: [sharedTokenizer, ownSdk, ownToml, textImportsForEsbuild],
  })
  for (const { path, text } of outputFiles) {
    const { code } = await transform(text, {
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
 * The library is one CommonJS module, so that both kinds of programs have the same CortextError; ES modules get it by
 * name. The declarations of index.ts and errors.ts in one file, which is why index.ts takes no type from elsewhere.
 */
function writeLibraryTypes() {
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

/** Names what was built: caches on disk hold until it changes. The same for every bundle, unlike minified code. */
function hashOfSources() {
  const hash = createHash('sha256')
  const names = readdirSync(join(root, 'src'), { recursive: true }).filter((name) =>
    /\.(ts|css|bash|zsh|fish)$/.test(name),
  )
  for (const name of names.sort()) hash.update(`${name}\n${readFileSync(join(root, 'src', name), 'utf8')}`)
  return hash.digest('hex').slice(0, 16)
}
