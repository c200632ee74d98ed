import { WriteStream } from 'node:tty'
import { parentPort, workerData } from 'node:worker_threads'
import yoctoSpinner from 'yocto-spinner'
import { fitCells } from '../../text/cells.ts'
import { withLine } from './line.ts'

/** The thread that draws the line of `withProgress`. It draws each text that is posted to it, and ends at `null`. */

/** For shorter work, no line is shown. */
const DELAY_MS = 500
const HIDE_CURSOR = '\u001b[?25l'
/** Width of the turning sign and the space after it. */
const SIGN_WIDTH = 2

const { what, columns, lineLock } = workerData as {
  what: string
  columns: number
  lineLock: Int32Array<SharedArrayBuffer>
}
const fitted = (words: string) => fitCells(words, columns - SIGN_WIDTH - 1)

// In this thread, `process.stderr` writes through the main thread, which is busy.
const terminal = new WriteStream(2)
const write = terminal.write.bind(terminal)
// The cursor is not hidden, because Ctrl-C ends the program at once and nothing would show the cursor again.
terminal.write = (text: string) => text === HIDE_CURSOR || withLine(lineLock, () => write(text))

let words = fitted(what)
const spinner = yoctoSpinner({ text: words, stream: terminal, handleSignals: false })
const timer = setTimeout(() => spinner.start(words), DELAY_MS)
parentPort!.on('message', (message: string | null) => {
  if (message === null) {
    clearTimeout(timer)
    spinner.stop()
    parentPort!.close()
    return
  }
  words = fitted(message)
  if (spinner.isSpinning) spinner.text = words
})
