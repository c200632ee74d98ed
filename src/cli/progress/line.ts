const FREE = 0
const TAKEN = 1

/**
 * Writes to the line of the terminal that shows the progress, while no other thread does. Otherwise one thread would draw
 * the line between the moment when the other has removed it and the text that the other prints.
 */
export function withLine<T>(lineLock: Int32Array<SharedArrayBuffer>, write: () => T): T {
  while (Atomics.compareExchange(lineLock, 0, FREE, TAKEN) !== FREE) Atomics.wait(lineLock, 0, TAKEN)
  try {
    return write()
  } finally {
    Atomics.store(lineLock, 0, FREE)
    Atomics.notify(lineLock, 0)
  }
}
