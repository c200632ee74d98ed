import { WriteStream } from 'node:tty'
import { parentPort, workerData } from 'node:worker_threads'
import yoctoSpinner from 'yocto-spinner'
import { fitCells } from '../../text/cells.ts'

/** What is shorter needs no word. */
const PATIENCE_MS = 500
const HIDE_CURSOR = '\u001b[?25l'
/** The sign that turns, and the space behind it. */
const SIGN = 2

const { what, columns } = workerData as { what: string; columns: number }
const fitted = (words: string) => fitCells(words, columns - SIGN - 1)

// In a thread `process.stderr` is written by the main thread, which is at work.
const terminal = new WriteStream(2)
const write = terminal.write.bind(terminal)
// Ctrl-C ends the program in the middle of this, and nobody would show the cursor again.
terminal.write = (text: string) => (HIDE_CURSOR === text ? true : write(text))

let words = fitted(what)
const spinner = yoctoSpinner({ text: words, stream: terminal, handleSignals: false })
const timer = setTimeout(() => spinner.start(words), PATIENCE_MS)
parentPort!.on('message', (told: string | null) => {
  if (told === null) {
    clearTimeout(timer)
    spinner.stop()
    parentPort!.close()
    return
  }
  words = fitted(told)
  if (spinner.isSpinning) spinner.text = words
})
