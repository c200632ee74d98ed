import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { beforePrinting } from '../print.ts'

/** Shows how far the work is, such as `3 of 12 sessions`. */
export type ShowProgress = (words: string) => void

/**
 * Does work that can take long. If standard error is a terminal, a line appears there after half a second and
 * disappears at the end; it says what is being done, and how far the work is. Another thread draws the line, because
 * most of the work blocks the main thread. No signal is handled: Ctrl-C ends the program at once.
 */
export async function withProgress<T>(
  what: string,
  work: (show: ShowProgress) => T | Promise<T>,
): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY || process.env.TERM === 'dumb') return work(() => undefined)
  const { Worker } = await import('node:worker_threads')
  const spinner = new Worker(fileURLToPath(new URL('../progress.cjs', import.meta.url)), {
    workerData: { what, columns: stderr.columns },
  })
  // The work continues even if the line cannot be drawn.
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
