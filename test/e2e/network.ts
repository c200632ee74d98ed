import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A place where clients run and reach one unix socket as a TCP port, and, where the kernel lets us, nothing else. */
export interface Network {
  /** On 127.0.0.1, inside. */
  readonly port: number
  /** Whether only loopback exists inside. */
  readonly isolated: boolean
  /** The command line that runs `command` inside. Only execs: the process id stays the same. */
  inside(command: readonly string[]): string[]
  close(): Promise<void>
}

/**
 * @param online for a benchmark: the clients run on the machine's own network.
 * @param ownProcesses the clients also have a process namespace, where the kernel lets us; all in it ends with it. Then
 * `inside` forks.
 */
export async function openNetwork(
  socket: string,
  { online = false, ownProcesses = false } = {},
): Promise<Network> {
  const forward = [process.execPath, join(import.meta.dirname, 'forward.mjs'), socket]
  const isolated = !online && mayIsolate()
  const fork = ownProcesses ? ['-p', '-f', '--mount-proc', '--kill-child'] : []
  const holder = isolated
    ? spawn('unshare', ['-n', ...fork, 'sh', '-c', LOOPBACK, 'sh', ...forward, ...nameservers()])
    : spawn(forward[0]!, forward.slice(1))
  const port = await announcedPort(holder)
  const first = ownProcesses ? childOf(holder.pid!) : String(holder.pid)
  // A mount namespace has a working folder of its own.
  const here = ['sh', '-c', 'exec nsenter -t "$0" -n -p -m --wdns="$PWD" -- "$@"', first]
  const enter = ownProcesses ? here : ['nsenter', '-t', first, '-n', '--']
  return {
    port,
    isolated,
    inside: (command) => (isolated ? [...enter, ...command] : [...command]),
    async close() {
      const exited = holder.exitCode === null ? once(holder, 'exit') : undefined
      holder.stdin.end()
      await exited
    },
  }
}

/** The name servers' addresses are inside too, since forward.mjs answers there. */
const LOOPBACK = `ip link set lo up && for address in $(sed -n 's/^nameserver *//p' /etc/resolv.conf)
  do ip address add "$address" dev lo 2>/dev/null; done; exec "$@"`

function nameservers(): string[] {
  const text = existsSync('/etc/resolv.conf') ? readFileSync('/etc/resolv.conf', 'utf8') : ''
  return [...text.matchAll(/^nameserver\s+(\S+)/gm)].map(([, address]) => address!)
}

function childOf(pid: number): string {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
}

let known: boolean | undefined

/** Network namespaces need root and iproute2. Without them the clients run on the machine's own loopback. */
function mayIsolate(): boolean {
  if (known !== undefined) return known
  try {
    execFileSync('unshare', ['-n', 'sh', '-c', 'ip link set lo up && nsenter --version'], { stdio: 'ignore' })
    known = true
  } catch (error) {
    known = false
    console.warn(`e2e: no network namespace here, so clients are not cut off from the network (${error})`)
  }
  return known
}

async function announcedPort(holder: ChildProcessWithoutNullStreams): Promise<number> {
  let errors = ''
  holder.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const first = await Promise.race([
    once(holder.stdout, 'data').then(([chunk]) => Number(String(chunk))),
    once(holder, 'exit').then(() => Number.NaN),
  ])
  if (!first) throw new Error(`the loopback forwarder did not start: ${errors}`)
  return first
}
