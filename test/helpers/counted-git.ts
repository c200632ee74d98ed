import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** Puts a script before git on a PATH. The script logs each start and runs the real git. */
export class CountedGit {
  readonly path: string
  readonly #log: string

  constructor(folder: string, path = process.env.PATH ?? '') {
    const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    mkdirSync(folder, { recursive: true })
    this.#log = join(folder, 'git.log')
    const program = join(folder, 'git')
    writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${this.#log}'\nexec '${real}' "$@"\n`)
    chmodSync(program, 0o755)
    this.path = [folder, path].join(delimiter)
  }

  /** Command lines of all starts since the last call, without git's global options. */
  starts(): string[] {
    if (!existsSync(this.#log)) return []
    const lines = readFileSync(this.#log, 'utf8').split('\n').filter(Boolean)
    rmSync(this.#log)
    return lines.map((line) => line.replace(/^--no-pager /, '').replace(/-c \S+ /g, ''))
  }
}
