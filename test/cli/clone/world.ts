import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
// @ts-expect-error a script without types
import { textImportsForEsbuild } from '../../../scripts/text-imports.mjs'
import { TEMP_SUFFIX } from '../../../src/io/atomic-write.ts'
import { ATTACHMENTS } from '../../../src/workspace/visibility.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { ejected } from '../../helpers/ejected.ts'
import { gitEnv, tempBase } from '../../helpers/repository.ts'
import { BIN, openLab } from '../../helpers/workspace-lab.ts'
import type { Asked, Told } from './driver.ts'

/** Stands in everything that lies outside of the workspace, and nowhere in it. */
export const CANARY = `canary-${'9b2e41'}`
export const ID = '001-brainstorm-api'

/**
 * A folder with a project, a home and `mirror/`: the project's files once more, each of its own format and with the
 * canary in it, as something that a link can mean. Whoever makes it removes it.
 */
export async function makeBase(): Promise<string> {
  const lab = await openLab()
  const { path } = await talk(lab)
  for (const origin of ['plan.md', 'constitution.md', 'registry.json'])
    ejected(lab.root, `templates/${origin}`)
  ejected(lab.root, 'commands/workspace.plan.md')
  const folder = join(lab.root, path)
  writeFileSync(join(folder, 'brainstorm.md'), '# API\n')
  const said = readFileSync(join(folder, '.session/messages.jsonl'), 'utf8').split('\n')[0]!
  put(join(folder, '.session/subagents/toolu_1.jsonl'), `${said}\n`)
  put(join(folder, '.session/summaries/0123456789abcdef.json'), JSON.stringify(SUMMARY))
  lab.git('add', '--all')
  lab.git('commit', '--quiet', '--message=all')
  const base = dirname(lab.root)
  cpSync(lab.root, join(base, 'mirror'), { recursive: true, filter: (from) => !from.endsWith('/.git') })
  for (const file of filesIn(join(base, 'mirror'))) writeFileSync(file, marked(file))
  for (const name of ['.profile', '.bashrc', '.aws/credentials', '.ssh/id', '.claude/settings.json'])
    put(join(lab.home, name), name.endsWith('json') ? `{"env": {"KEY": "${CANARY}"}}` : `${CANARY}\n`)
  put(join(lab.home, '.claude/projects/x/y.jsonl'), `${said.replace('API', CANARY)}\n`)
  mkdirSync(join(base, 'outside/empty'), { recursive: true })
  return base
}

/** A conversation with an over-long output, an archive, and a turn of each kind; and a second one. */
async function talk(lab: Awaited<ReturnType<typeof openLab>>): Promise<{ path: string }> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  claude.user('look')
  claude.assistant([{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { file_path: 'a' } }], 'tool_use')
  claude.user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'x'.repeat(100_000) }])
  claude.assistant([{ type: 'text', text: 'Seen.' }])
  for (const number of [1, 2, 3]) claude.say(`turn ${number}`)
  await lab.json(['save', ID, '--json'])
  await lab.json(['prune', ID, '--keep', '2', '--yes', '--json'])
  claude.say('a last one')
  const stopped = await lab.json<{ path: string }>(['save', ID, '--json'])
  await lab.json(['start', 'plan', 'Other', '--json'])
  return stopped
}

const SUMMARY = {
  version: '1.0',
  range: { startMessageId: 'a', endMessageId: 'z', startSeq: 0, endSeq: null, messageCount: 2 },
  hash: `sha256:${'5e'.repeat(32)}`,
  summary: { content: 'short', tokens: 1, model: 'm' },
  originalTokens: 10,
  compressionRatio: 0.1,
  created_at: '2026-01-01T00:00:00Z',
}

/** The content of a file with the canary in it, still of its format. */
function marked(file: string): string {
  const text = readFileSync(file, 'utf8')
  if (file.endsWith('.jsonl')) {
    const message = { id: CANARY, role: 'user', content: CANARY, timestamp: '2026-01-01T00:00:00Z' }
    return `${text}${JSON.stringify(message)}\n`
  }
  if (!file.endsWith('.json')) return `${text}\n# ${CANARY}\n`
  const value = JSON.parse(text)
  return JSON.stringify({ ...value, title: CANARY, context_summary: CANARY, key: CANARY })
}

export function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

export interface World {
  folder: string
  root: string
  home: string
  env: Record<string, string>
}

/** A copy of the base, for one case. */
export function copyOf(base: string): World {
  const folder = realpathSync(mkdtempSync(join(tempBase(), 'cortext-clone-')))
  cpSync(base, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  const home = join(folder, 'home')
  // None of the clients is there.
  const env = { ...gitEnv(home), PATH: '/usr/local/bin:/usr/bin:/bin', GIT_CONFIG_NOSYSTEM: '1', TZ: 'UTC' }
  return { folder, root: join(folder, 'project'), home, env }
}

/** The files and folders that a clone brings, as paths below its root. */
export function broughtBy(root: string): { files: string[]; folders: string[] } {
  const tracked = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' })
  const here = filesIn(join(root, 'conversations')).map((path) => path.slice(root.length + 1))
  const files = [...new Set([...tracked.split('\0').filter((path) => path !== ''), ...here])]
  const folders = new Set(files.flatMap((path) => foldersOf(path)))
  return { files: files.sort(), folders: [...folders].filter((path) => path !== '.workspace').sort() }
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, end) => parts.slice(0, end + 1).join('/'))
}

/** What must not change: all that lies outside of the project, and what of its `.git` is not ours to write. */
export function outsideOf(folder: string): Record<string, string> {
  const git = join(folder, 'project/.git')
  return Object.fromEntries([
    ...['home', 'mirror', 'outside'].flatMap((name) => everything(join(folder, name))),
    ...['HEAD', 'description', 'hooks', 'refs/tags'].flatMap((name) => everything(join(git, name))),
    ['exclude', exclude(join(git, 'info/exclude'))],
    ['config', readFileSync(join(git, 'config'), 'utf8').replace(MERGE_DRIVER, '')],
  ])
}

/** Our own block, to the letter: whatever a clone says, nothing else gets into it. */
const MERGE_DRIVER = `# >>> cortext merge driver >>>
[merge "cortext"]
\tname = session.json of a conversation
\tdriver = "'${process.execPath}' '${BIN}' merge-session %O %A %B 2>/dev/null || cortext merge-session %O %A %B 2>/dev/null || git merge-file -q -L ours -L base -L theirs %A %O %B"
# <<< cortext merge driver <<<
`

/** Without our own block, which names our files only. */
function exclude(file: string): string {
  const text = readFileSync(file, 'utf8')
  return text.replace(/^# >>> cortext [\s\S]*?^# <<< cortext .*\n/m, (block) =>
    block
      .split('\n')
      .filter((line) => line !== '' && !/^# (>>>|<<<)|^\/\.?[\w.-]+(\/|$)/.test(line))
      .filter((line) => ![ATTACHMENTS, `/${ATTACHMENTS}`, `/**/*${TEMP_SUFFIX}`].includes(line))
      .join('\n'),
  )
}

/** But for the list of workspaces, which is ours. */
function everything(path: string): [string, string][] {
  if (path.endsWith('/.local/state/cortext')) return []
  const stats = lstatSync(path, { bigint: true })
  const what = `${stats.mode} ${stats.mtimeNs} ${stats.size}`
  if (stats.isSymbolicLink()) return [[path, `${what} ${readlinkSync(path)}`]]
  if (stats.isFile())
    return [[path, `${what} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`]]
  const below = stats.isDirectory() ? readdirSync(path).flatMap((name) => everything(join(path, name))) : []
  return [[path, what], ...below]
}

/** The files of the workspace, of git and of this machine that hold the canary. */
export function filesWithCanary(root: string): string[] {
  const plain = filesIn(root).filter(
    (path) => lstatSync(path).size < 1e7 && readFileSync(path).includes(CANARY),
  )
  const objects = execFileSync('git', ['cat-file', '--batch', '--batch-all-objects', '--buffer'], {
    cwd: root,
    maxBuffer: 1e9,
  })
  return [...plain, ...(objects.includes(CANARY) ? ['an object of git'] : [])]
}

/** Regular files; no link is followed. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? filesIn(path) : entry.isFile() ? [path] : []
  })
}

/** A process that runs one verb after the other. One that hangs is ended, and told as `hangs`. */
export class Verbs {
  #child: ChildProcess | undefined
  readonly #program: string

  private constructor(program: string) {
    this.#program = program
  }

  /** Builds the program in a folder. */
  static async builtIn(folder: string): Promise<Verbs> {
    const program = join(folder, 'verbs.cjs')
    const source = fileURLToPath(new URL('../../../src/cli/index.ts', import.meta.url))
    await build({
      entryPoints: [fileURLToPath(new URL('driver.ts', import.meta.url))],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
      plugins: [textImportsForEsbuild],
      alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
      // From there the shipped pack is found.
      define: { 'import.meta.url': JSON.stringify(pathToFileURL(source).href), __VERSION__: '"0.0.0"' },
    })
    return new Verbs(program)
  }

  run({ root, home, env }: World, args: string[], cwd = root): Promise<Told | 'hangs'> {
    const asked: Asked = { args, cwd, home, env }
    this.#child ??= fork(this.#program, { env: asked.env, stdio: 'ignore' })
    const child = this.#child
    return new Promise((resolve) => {
      const done = (told: Told | 'hangs') => {
        clearTimeout(timer)
        child.removeAllListeners()
        if (told === 'hangs') this.close()
        resolve(told)
      }
      const timer = setTimeout(() => done('hangs'), PATIENCE_MS)
      child.once('message', (told) => done(told as Told))
      child.once('exit', (code) => {
        this.#child = undefined
        done({ code: 70, stdout: '', stderr: `the process ended: ${code}` })
      })
      child.send(asked)
    })
  }

  close(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }
}

/** A verb takes a tenth of a second; the machine may be busy. */
const PATIENCE_MS = 30_000

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
