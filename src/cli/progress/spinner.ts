import { WriteStream } from 'node:tty'
import { parentPort, workerData } from 'node:worker_threads'
import yoctoSpinner from 'yocto-spinner'
import { fitCells } from '../../text/cells.ts'

/** Work that takes less time than this shows no line. */
const DELAY_MS = 500
const HIDE_CURSOR = '\u001b[?25l'
/** Width of the turning sign and the space after it. */
const SIGN_WIDTH = 2

const { what, columns } = workerData as { what: string; columns: number }
const fitted = (words: string) => fitCells(words, columns - SIGN_WIDTH - 1)

// In a thread, `process.stderr` writes through the main thread. The main thread is busy, so this stream writes
// directly.
const terminal = new WriteStream(2)
const write = terminal.write.bind(terminal)
// The cursor is not hidden, because Ctrl-C ends the program at once and nothing would show the cursor again.
terminal.write = (text: string) => (HIDE_CURSOR === text ? true : write(text))

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
