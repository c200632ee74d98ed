// Run inside the network namespace of one lab, which it keeps alive: a TCP port on loopback whose connections go
// to a unix socket, because unix sockets in the file system cross network namespaces and TCP does not.
// Usage: node forward.mjs SOCKET. Prints the port; ends when its stdin does, so that it never outlives the test.
import { connect, createServer } from 'node:net'

const [, , socket] = process.argv

const server = createServer((inner) => {
  const outer = connect(socket)
  inner.pipe(outer).pipe(inner)
  // A client that is killed resets its connection: the other half has nothing left to do.
  inner.on('error', () => outer.destroy())
  outer.on('error', () => inner.destroy())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.on('end', () => process.exit()).resume()
