import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforePrinting } from '../print.ts'

/** Says how far the work is: `3 of 12 sessions`. */
export type Tell = (words: string) => void

/**
 * Does work that may take long. In a terminal it is told on standard error after half a second what is done and how far
 * that is, and nothing of it stays on the screen. The line is drawn by a thread of its own, because most of the work
 * gives no other code a turn. No signal is handled for it: Ctrl-C ends the program at once, as without it.
 */
export async function withProgress<T>(what: string, work: (tell: Tell) => T | Promise<T>): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY || process.env.TERM === 'dumb') return work(() => undefined)
  const { Worker } = await import('node:worker_threads')
  const spinner = new Worker(fileURLToPath(new URL('../progress.cjs', import.meta.url)), {
    workerData: { what, columns: stderr.columns },
  })
  // A line that cannot be drawn is no reason to stop the work.
  spinner.on('error', () => undefined)
  beforePrinting(() => stderr.write(CLEAR_LINE))
  try {
    return await work((words) => spinner.postMessage(`${what}: ${words}`))
  } finally {
    beforePrinting(undefined)
    const ended = once(spinner, 'exit')
    spinner.postMessage(null)
    await ended
  }
}

const CLEAR_LINE = '\r\u001b[K'
