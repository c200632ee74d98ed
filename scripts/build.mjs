// Builds dist/: one small CommonJS door and hook (start-up time is theirs), and the CLI as ES modules in chunks,
// so that each verb loads only what it uses. Run by npm's `prepare`.
import { readFileSync, rmSync } from 'node:fs'
import { build } from 'esbuild'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const root = new URL('..', import.meta.url).pathname
const shared = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node20.19',
  define: { __VERSION__: JSON.stringify(version) },
  legalComments: 'none',
  logLevel: 'warning',
}

rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true })

await build({
  ...shared,
  entryPoints: { hook: 'src/hook.ts' },
  external: ['./journeys/hooked.js'],
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
})
await build({
  ...shared,
  entryPoints: { bin: 'src/bin.ts' },
  format: 'cjs',
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  external: ['./hook.cjs', './cli/index.js'],
  banner: { js: '#!/usr/bin/env node' },
})
await build({
  ...shared,
  entryPoints: { 'cli/index': 'src/cli/index.ts', 'journeys/hooked': 'src/journeys/hooked.ts' },
  format: 'esm',
  splitting: true,
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  // simple-git, fs-extra and their like are CommonJS and call require() for node's own modules.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
})
