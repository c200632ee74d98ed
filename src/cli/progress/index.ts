import { fileURLToPath } from 'node:url'
import { printWith } from '../print.ts'
import { withLine } from './line.ts'

/** Shows how far the work is, such as `3 of 12 sessions`. */
export type ShowProgress = (words: string) => void

/**
 * Does work that may take long. If standard error is a terminal, a line there tells what the work is and how far it is.
 * The line appears after half a second, and disappears at the end. Another thread draws it, because most of the work
 * blocks the main thread. No signal is handled: Ctrl-C ends the program at once.
 */
export async function withProgress<T>(
  what: string,
  work: (show: ShowProgress) => T | Promise<T>,
): Promise<T> {
  const { stderr } = process
  if (!stderr.isTTY || process.env.TERM === 'dumb') return work(() => undefined)
  const { Worker } = await import('node:worker_threads')
  const lineLock = new Int32Array(new SharedArrayBuffer(4))
  // The bundle of spinner.ts. This code is in a chunk, one folder below it.
  const spinner = new Worker(fileURLToPath(new URL('../progress.cjs', import.meta.url)), {
    workerData: { what, columns: stderr.columns, lineLock },
  })
  // The work continues even if the line cannot be drawn. The thread may end before the work does.
  spinner.on('error', () => undefined)
  const ended = new Promise((resolve) => spinner.once('exit', resolve))
  printWith((print) =>
    withLine(lineLock, () => {
      stderr.write(CLEAR_LINE)
      print()
    }),
  )
  try {
    return await work((words) => spinner.postMessage(`${what}: ${words}`))
  } finally {
    printWith()
    spinner.postMessage(null)
    await ended
  }
}

const CLEAR_LINE = '\r\u001b[K'
