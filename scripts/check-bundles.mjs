// Checks that files of dist/ stay small if they are loaded at every turn of a client or at every question, or are put
// into a person's repository. It also checks that `cortext hook` loads only our own files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { clientIds, onlyClient } from './hook-bundles.mjs'
import { pluginIds } from './plugins.mjs'

const root = join(import.meta.dirname, '..')
const LIMITS = [
  // Loaded at every turn of that client. Codex CLI's is the largest: it follows a session through several files. Each
  // bounds what it copies, notices that this machine's notes are gone, and finds the local folder without git, so it has
  // the words for a repository that git refuses. A copy gets the time of its file in the step that makes it. An entry of
  // a list in the home begins a line of its own also after a torn one. The first prompt after a `/clear` looks whether the
  // hook of the new session has failed. A local folder has a hash for a name where its path would be too long for one.
  ...clientIds.map((id) => ({ file: new RegExp(`^hook-${id}\\.cjs$`), limit: 45_200 })),
  // Loaded at every press of Tab. It finds the workspace as hooks do, and completes no id that means another conversation.
  // It has every verb and option, so it grows with them. A conversation is known by its origin, also where a killed program
  // has left it half moved, and by the types of the workspace where its session.json is lost.
  { file: /^complete\.cjs$/, limit: 121_500 },
  // Inquirer's search and confirmation. Its editor would add 550,000 bytes of character tables.
  { file: /^cli\/prompts-\w+\.cjs$/, limit: 40_000 },
  // Loaded only in terminals, by a thread of its own.
  { file: /^progress\.cjs$/, limit: 16_000 },
  // Loaded only by `cortext mcp`.
  { file: /^mcp-sdk\.cjs$/, limit: 160_000 },
  // Loaded to read the settings of Codex CLI.
  { file: /^toml\.cjs$/, limit: 12_000 },
  // Put into a person's repository.
  ...pluginIds.map((id) => ({ file: new RegExp(`^${id}-plugin\\.js$`), limit: 20_000 })),
]

const built = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
for (const { file, limit } of LIMITS) {
  const found = built.filter((path) => file.test(path))
  if (found.length !== 1) complain(`${file}: ${found.length} files of dist/, not one. Run: npm run build`)
  for (const path of found) {
    const bytes = readFileSync(join(root, 'dist', path)).length
    process.stdout.write(`dist/${path}: ${bytes} of ${limit} bytes\n`)
    if (bytes > limit)
      complain(
        `dist/${path} is ${bytes - limit} bytes over its limit. Load what it does not always need by import()${path.startsWith('hook-') ? ' from journeys/hooks.ts (the largest sources are listed below)' : ''}, or raise the limit in scripts/check-bundles.mjs and say there why.`,
      )
  }
}

for (const client of clientIds) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/hook.ts'],
    external: ['./journeys/hooks.js'],
    plugins: [onlyClient(client)],
    bundle: true,
    platform: 'node',
    metafile: true,
    write: false,
  })
  const inputs = Object.entries(metafile.inputs).sort(([, one], [, other]) => other.bytes - one.bytes)
  process.stdout.write(`The largest of ${inputs.length} sources of the hook of ${client}:\n`)
  for (const [path, { bytes }] of inputs.slice(0, 5)) process.stdout.write(`  ${path}: ${bytes}\n`)
  for (const [path] of inputs.filter(([path]) => path.includes('node_modules')))
    complain(
      `${path} is in the hook bundle, which contains only our own files. Import it in journeys/hooks.ts instead.`,
    )
}

function complain(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}
