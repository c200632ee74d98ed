import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tempBase } from './repository.ts'

/** How a program ended, with all that it printed. `code` is null if a signal ended it. */
export interface Run {
  code: number | null
  stdout: string
  stderr: string
}

export interface Start {
  args: readonly string[]
  /** After this many milliseconds the program is killed. */
  timeout?: number | undefined
  env: Readonly<Record<string, string>>
  cwd: string
  input: string
}

const SERVER = fileURLToPath(new URL('program-server.cjs', import.meta.url))

/** Each worker has at most this many of these processes, because each takes 80 MB. */
const MAX_SERVERS = 6

const idle: Server[] = []
let servers = 0

/**
 * Runs the built program in a process that has run it before, which takes a fifth of the processor time that a new
 * process takes. Undefined if all such processes are busy.
 */
export function runInServer(bin: string, start: Start): Promise<Run> | undefined {
  const server = idle.pop() ?? (servers < MAX_SERVERS ? new Server(bin) : undefined)
  return server?.run(start)
}

class Server {
  readonly #child: ChildProcess
  readonly #mark = `\0${randomUUID()}\0`

  constructor(bin: string) {
    const input = join(tempBase(), `cortext-input-${randomUUID()}`)
    this.#child = fork(SERVER, [bin, input], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] })
    servers += 1
    this.#child.on('exit', () => {
      servers -= 1
    })
    // The worker may end while its servers wait. Then they end too.
    this.#child.unref()
    this.#child.channel?.unref()
    for (const stream of [this.#child.stdout, this.#child.stderr])
      (stream as unknown as { unref(): void }).unref()
  }

  async run(start: Start): Promise<Run> {
    const child = this.#child
    const gone = new AbortController()
    const ended = new Promise<{ code: number | null; alive: boolean }>((resolve) => {
      const onMessage = (code: unknown) => resolve({ code: code as number, alive: true })
      child.once('message', onMessage)
      const onClose = (code: number | null) => {
        gone.abort()
        resolve({ code, alive: false })
      }
      child.once('close', onClose)
    })
    const [stdout, stderr] = [child.stdout!, child.stderr!].map((stream) =>
      this.#printed(stream, gone.signal),
    )
    child.send({ ...start, mark: this.#mark })
    const { timeout } = start
    const timer = timeout === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), timeout)
    const { code, alive } = await ended
    clearTimeout(timer)
    const run = { code, stdout: await stdout!, stderr: await stderr! }
    child.removeAllListeners('message')
    child.removeAllListeners('close')
    if (alive) idle.push(this)
    return run
  }

  /** The output of a stream up to the mark, or all of it if the server has ended. */
  #printed(stream: NodeJS.ReadableStream, gone: AbortSignal): Promise<string> {
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let tail = Buffer.alloc(0)
      const finish = (cut: number) => {
        stream.removeListener('data', onData)
        const all = Buffer.concat(chunks)
        resolve(all.subarray(0, all.length - cut).toString('utf8'))
      }
      const onData = (chunk: Buffer) => {
        chunks.push(chunk)
        tail = Buffer.concat([tail, chunk]).subarray(-this.#mark.length)
        if (tail.toString('latin1') === this.#mark) finish(this.#mark.length)
      }
      stream.on('data', onData)
      gone.addEventListener('abort', () => finish(0), { once: true })
    })
  }
}
