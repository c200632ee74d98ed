import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Messages that one run of the program takes in. */
const AT_ONCE = 4000

/**
 * What the built program writes to a record when each text is a message of its own. It takes in messages of a
 * conversation alone, so no text can help another one.
 */
export function kept(program: string, texts: readonly string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'cortext-product-'))
  try {
    const home = join(folder, 'home')
    const root = join(folder, 'root')
    for (const path of [home, root]) mkdirSync(path)
    const run = (command: string, args: string[], input = '') => {
      const env = {
        PATH: process.env.PATH,
        HOME: home,
        GIT_CONFIG_NOSYSTEM: '1',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      }
      const { status, stderr } = spawnSync(command, args, { cwd: root, env, input, encoding: 'utf8' })
      if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
    }
    run('git', ['init', '-q'])
    run(process.execPath, [program, 'init', '--private', '--in', 'claude'])
    return Array.from({ length: Math.ceil(texts.length / AT_ONCE) }, (_, n) => {
      const part = texts.slice(n * AT_ONCE, (n + 1) * AT_ONCE)
      const before = new Set(records(root))
      const lines = part.map((content) => `${JSON.stringify({ role: 'user', content })}\n`)
      run(process.execPath, [program, 'append', '--key', `product:${n}`], lines.join(''))
      const added = records(root).filter((path) => !before.has(path))
      const contents = added.flatMap((path) =>
        readFileSync(path, 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line).content as string),
      )
      if (contents.length !== part.length) throw new Error(`${part.length} messages, ${contents.length} kept`)
      return contents
    }).flat()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function records(root: string): string[] {
  const folder = join(root, 'conversations')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('messages.jsonl'))
    .map((path) => join(folder, path))
}
