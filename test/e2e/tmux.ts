import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A standing connection to a tmux server: a question costs a line in a pipe, where a program for each costs 10 ms. */
export interface Tmux {
  /** Runs a tmux command and returns what it prints. Throws with tmux's words when it fails. */
  ask(command: string): Promise<string>
  close(): void
}

/**
 * Attaches to the only session of a server that runs, in control mode. It neither sizes the window nor reads what the
 * programs in it print.
 */
export function attachTo(server: string): Tmux {
  const child = spawn('tmux', ['-u', '-L', server, '-C', 'attach-session', '-f', 'ignore-size,no-output'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const waiting: { resolve(value: string): void; reject(error: Error): void }[] = []
  // The first answer is to the command line of this client itself.
  waiting.push({ resolve: () => undefined, reject: () => undefined })
  let answer: string[] | undefined

  createInterface({ input: child.stdout }).on('line', (line) => {
    const [, mark] = /^%(begin|end|error) \d+ \d+ \d+$/.exec(line) ?? []
    if (mark === 'begin') answer = []
    else if (mark !== undefined) {
      const said = answer?.join('\n') ?? ''
      answer = undefined
      if (mark === 'end') waiting.shift()?.resolve(said)
      else waiting.shift()?.reject(new Error(`tmux: ${said}`))
    } else answer?.push(line)
  })
  const gone = () => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the terminal ${server} is closed`))
  }
  child.on('error', gone).on('close', gone)
  child.stdin.on('error', gone)

  return {
    ask: (command) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject })
        if (child.exitCode !== null || !child.stdin.writable) gone()
        else child.stdin.write(`${command}\n`)
      }),
    close: () => void child.kill(),
  }
}
