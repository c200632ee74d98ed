import { spawn } from 'node:child_process'
import { BIN, type Lab } from './workspace-lab.ts'

/** A pseudo-terminal is made by `script` of util-linux. */
export const HAS_TERMINAL = process.platform === 'linux'

/**
 * Runs the built program at a terminal, and types `answer` as soon as the text `question` is on its screen. Returns the
 * exit code, and all that was on the screen.
 */
export function atTerminal(
  lab: Lab,
  args: readonly string[],
  { question, answer, columns = 500 }: { question: string; answer: string; columns?: number },
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
    let isAnswered = false
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      screen += chunk
      if (isAnswered || !screen.includes(question)) return
      isAnswered = true
      child.stdin.write(answer)
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, screen }))
  })
}

function quoted(words: readonly string[]): string[] {
  return words.map((word) => `'${word}'`)
}
