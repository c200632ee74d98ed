import { spawn } from 'node:child_process'
import { BIN, type Lab } from './workspace-lab.ts'

/** A pseudo-terminal is made by `script` of util-linux. */
export const HAS_TERMINAL = process.platform === 'linux'

interface Typed {
  question: string
  answer: string
}

/**
 * Runs the built program at a terminal, and types `answer` as soon as the text `question` is on its screen, and those
 * of `later` after it, in the same way. Returns the exit code, and all that was on the screen.
 */
export function atTerminal(
  lab: Lab,
  args: readonly string[],
  {
    later = [],
    columns = 500,
    rows,
    ...first
  }: Typed & { later?: readonly Typed[]; columns?: number; rows?: number },
): Promise<{ code: number | null; screen: string }> {
  // A question that is wider than the screen would be broken into lines.
  const line = [
    `stty cols ${columns}${rows === undefined ? '' : ` rows ${rows}`};`,
    ...quoted([process.execPath, BIN, ...args]),
  ].join(' ')
  const child = spawn('script', ['--quiet', '--return', '--flush', '--command', line, '/dev/null'], {
    cwd: lab.root,
    env: { ...lab.env, TERM: 'xterm', CI: '' },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  return new Promise((resolve, reject) => {
    let screen = ''
    let seen = 0
    const waiting = [first, ...later]
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      screen += chunk
      for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
        const at = screen.indexOf(next.question, seen)
        if (at < 0) return
        waiting.shift()
        seen = at + next.question.length
        if (next.answer !== '') child.stdin.write(next.answer)
      }
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
}

function quoted(words: readonly string[]): string[] {
  return words.map((word) => `'${word}'`)
}
