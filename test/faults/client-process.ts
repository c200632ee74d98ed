import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Run } from '../helpers/workspace-lab.ts'

/** Runs each command that it receives as a child `sh -c`. */
const LOOP = `while IFS= read -r -d '' before && IFS= read -r -d '' command && IFS= read -r -d '' files; do
  (eval "$before"; exec sh -c "$command") <"$files.in" >"$files.out" 2>"$files.err"
  printf '%s\\n' $?
done`

export interface Call {
  command: string
  cwd: string
  env?: Record<string, string>
  input?: string
}

/**
 * The process of a client. It runs hooks and its agent's shell calls as clients do: by a shell, in a folder, with
 * variables, one after the other.
 */
export class ClientProcess {
  readonly #child: ChildProcess
  readonly #folder: string
  readonly #gone: Promise<void>
  #calls = 0
  #printed = ''
  #wake: () => void = () => undefined

  constructor(folder: string, env: Record<string, string>) {
    this.#folder = folder
    this.#child = spawn('bash', ['-c', LOOP], { cwd: folder, env, stdio: ['pipe', 'pipe', 'ignore'] })
    this.#child.stdin!.on('error', () => undefined)
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#printed += text
      this.#wake()
    })
    this.#gone = new Promise((resolve) => this.#child.on('close', () => resolve()))
    void this.#gone.then(() => this.#wake())
  }

  get runs(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** `code` is null if the client was killed meanwhile. */
  async run({ command, cwd, env = {}, input = '' }: Call): Promise<Run> {
    const files = join(this.#folder, `${this.#child.pid}-${++this.#calls}`)
    writeFileSync(`${files}.in`, input)
    const set = Object.entries(env).map(([name, value]) => `export ${name}=${quoted(value)}`)
    const before = [...set, `cd ${quoted(cwd)}`].join('; ')
    const done = this.#calls
    this.#child.stdin!.write(`${before}\0${command}\0${files}\0`)
    while (this.#codes().length < done && this.runs)
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    const code = this.#codes()[done - 1]
    const text = (end: string) => (code === undefined ? '' : readFileSync(`${files}.${end}`, 'utf8'))
    return { code: code === undefined ? null : Number(code), stdout: text('out'), stderr: text('err') }
  }

  /** Ends the client as a person or a kill does. */
  async end(how: 'closed' | 'killed'): Promise<void> {
    if (how === 'killed') this.#child.kill('SIGKILL')
    else this.#child.stdin!.end()
    await this.#gone
  }

  #codes(): string[] {
    return this.#printed.split('\n').slice(0, -1)
  }
}

function quoted(value: string): string {
  return `'${value.replaceAll("'", "'\\''")}'`
}
