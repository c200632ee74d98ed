import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')

/** The ids of the clients that load a plugin of ours: the folders of src/clients/ that have a `plugin/index.ts`. */
export const pluginIds = readdirSync(join(root, 'src/clients')).filter((name) =>
  existsSync(join(root, 'src/clients', name, 'plugin/index.ts')),
)

const head = (
  client,
) => `// Records the conversations of workspaces for cortext. Made by \`cortext init\`, taken back by \`cortext uninstall\`; in the
// person's own settings by \`cortext init --personal\`, and \`cortext uninstall --personal\`.
// Needs nothing but node's own modules, never blocks the client for long, and does no harm where cortext is missing.
// Put together from the sources in src/clients/${client}/plugin/ of cortext, where the comments are.`

/**
 * Builds the plugin of a client that is installed in a workspace: one module with the same bytes at every build, which a
 * person who reviews a repository can read. `sources` are the paths of its sources, from the root of this repository.
 */
export async function pluginOf(client) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [`src/clients/${client}/plugin/index.ts`],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    charset: 'utf8',
    banner: { js: head(client) },
    metafile: true,
    write: false,
    logLevel: 'warning',
  })
  return { text: outputFiles[0].text, sources: Object.keys(metafile.inputs).sort() }
}
