import { type ChildProcess, spawn } from 'node:child_process'

/** What a program said that was asked something; `hangs` when it had not ended in time. */
export type Answer = { code: number | null; said: string; complained: string } | 'hangs' | 'cannot be started'

/**
 * Runs a program that only tells something: nothing on stdin but `input`, at most 1 MB listened to, and never waited
 * for longer than `patience` milliseconds, whatever it has left running by then; that is killed, and so it is when
 * `stop` is aborted. Never throws.
 */
export function askProgram(
  path: string,
  args: readonly string[],
  options: {
    env: Readonly<Record<string, string | undefined>>
    cwd: string
    patience: number
    input?: string
    stop?: AbortSignal
  },
): Promise<Answer> {
  const { env, cwd, patience, input, stop } = options
  return new Promise((resolve) => {
    // A group of its own, so that what it starts goes with it. A batch file of Windows runs in a shell only.
    const shell = /\.(cmd|bat)$/i.test(path)
    const stdio = [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const
    const child = spawn(shell ? `"${path}"` : path, args, {
      env,
      cwd,
      shell,
      detached: !shell,
      stdio: [...stdio],
    })
    const heard = { said: '', complained: '' }
    // A program that ends without having read it all is judged by what it says.
    child.stdin?.on('error', () => undefined).end(input)
    listen(child.stdout, (text) => (heard.said += text))
    listen(child.stderr, (text) => (heard.complained += text))
    const quit = (): void => {
      clearTimeout(giveUp)
      kill(child)
      child.stdout?.destroy()
      child.stderr?.destroy()
      child.unref()
      resolve('hangs')
    }
    const giveUp = setTimeout(quit, patience)
    stop?.addEventListener('abort', quit, { once: true })
    child.on('error', () => {
      clearTimeout(giveUp)
      resolve('cannot be started')
    })
    child.on('close', (code) => {
      clearTimeout(giveUp)
      resolve({ code, ...heard })
    })
  })
}

const MOST = 1024 * 1024

function listen(stream: NodeJS.ReadableStream | null, hear: (text: string) => void): void {
  let length = 0
  stream?.setEncoding('utf8').on('data', (text: string) => {
    length += text.length
    if (length <= MOST) hear(text)
  })
}

function kill(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // No group of its own (Windows), or all of it has ended.
    child.kill('SIGKILL')
  }
}
