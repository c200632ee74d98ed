// Preloaded into a program that shows its progress: sleeps between the removal of that line and what is printed in its
// place, so long that a frame of the progress fits between.
const { write } = process.stderr
process.stderr.write = function (text, ...rest) {
  const done = write.call(this, text, ...rest)
  if (text === '\r\u001b[K') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
  return done
}
