import { join } from 'node:path'
import { build } from 'esbuild'

const HEAD = `// Records the conversations of this workspace for cortext. Made by \`cortext init\`, taken back by \`cortext uninstall\`.
// Needs nothing but node's own modules, never blocks OpenCode for long, and does no harm where cortext is missing.
// Put together from the sources in src/clients/opencode/plugin/ of cortext, where the comments are.`

/**
 * Builds the plugin that is installed in a workspace: one module with the same bytes at every build, which a person who
 * reviews a repository can read. `sources` are the paths of its sources, from the root of this repository.
 */
export async function openCodePlugin() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '..'),
    entryPoints: ['src/clients/opencode/plugin/index.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    charset: 'utf8',
    banner: { js: HEAD },
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  return { text: outputFiles[0].text, sources: Object.keys(metafile.inputs).sort() }
}
