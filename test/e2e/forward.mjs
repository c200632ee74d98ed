// Run inside the network namespace of one lab, which it keeps alive: a TCP port on loopback whose connections go
// to a unix socket, because unix sockets in the file system cross network namespaces and TCP does not.
// Usage: node forward.mjs SOCKET [NAMESERVER ...]. Prints the port; ends when its stdin does, so that it never outlives the
// test. At the addresses of the name servers it answers that there is no such name, for clients would wait 5 s for a
// silent one, some of them at their end.
import { createSocket } from 'node:dgram'
import { connect, createServer } from 'node:net'

const [, , socket, ...nameservers] = process.argv

for (const address of nameservers) {
  const resolver = createSocket(address.includes(':') ? 'udp6' : 'udp4')
  resolver.on('message', (question, { address: from, port }) => {
    const answer = Buffer.from(question)
    answer[2] |= 0x80 // a response
    answer[3] = 0x83 // recursion available, NXDOMAIN
    resolver.send(answer, port, from)
  })
  // An address that cannot be had here stays silent, as it is without this.
  resolver.on('error', () => {})
  resolver.bind(53, address)
}

const server = createServer((inner) => {
  const outer = connect(socket)
  inner.pipe(outer).pipe(inner)
  // A client that is killed resets its connection: the other half has nothing left to do.
  inner.on('error', () => outer.destroy())
  outer.on('error', () => inner.destroy())
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`))
process.stdin.on('end', () => process.exit()).resume()
