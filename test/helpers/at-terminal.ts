import { spawn } from 'node:child_process'
import { BIN, type Lab } from './workspace-lab.ts'

/** A pseudo-terminal is made by `script` of util-linux. */
export const HAS_TERMINAL = process.platform === 'linux'

interface Typed {
  question: string
  answer: string
}

/**
 * Runs the built program at a terminal, and types `answer` as soon as the text `question` is on its screen, and what
 * comes `then` in the same way. Returns the exit code, and all that was on the screen.
 */
export function atTerminal(
  lab: Lab,
  args: readonly string[],
  { then = [], columns = 500, ...first }: Typed & { then?: readonly Typed[]; columns?: number },
): Promise<{ code: number | null; screen: string }> {
  // A question that is wider than the screen would be broken into lines.
  const line = [`stty cols ${columns};`, ...quoted([process.execPath, BIN, ...args])].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: lab.root,
    env: { ...lab.env, TERM: 'xterm', CI: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let screen = ''
    let seen = 0
    const waiting = [first, ...then]
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      screen += chunk
      const next = waiting[0]
      if (next === undefined || !screen.slice(seen).includes(next.question)) return
      waiting.shift()
      seen = screen.length
      child.stdin.write(next.answer)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
}

function quoted(words: readonly string[]): string[] {
  return words.map((word) => `'${word}'`)
}
