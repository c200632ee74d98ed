import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { findProgram } from '../../src/io/program.ts'

/** OpenSSH's server. It is in a folder that is not on the PATH of every user. */
export const SSHD = findProgram('sshd', {
  PATH: [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter),
})

export interface SshServer {
  port: number
  /** For GIT_SSH_COMMAND: who has this key, and knows the server. */
  command: (more?: { key?: string; knownHosts?: string }) => string
  /** A new key that the server does not know. */
  newKey: (name: string) => string
  close: () => void
}

/** Serves by ssh on loopback to the user of this process, with keys of its own in `folder`. */
export async function serveSsh(folder: string): Promise<SshServer> {
  mkdirSync(folder, { mode: 0o700 })
  const newKey = (name: string) => {
    const path = join(folder, name)
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', path])
    return path
  }
  const [host, user] = [newKey('host'), newKey('user')]
  const port = await freePort()
  const knownHosts = join(folder, 'known_hosts')
  writeFileSync(knownHosts, `[127.0.0.1]:${port} ${readFileSync(`${host}.pub`, 'utf8')}`)
  const settings = [
    `ListenAddress 127.0.0.1:${port}`,
    `HostKey ${host}`,
    `AuthorizedKeysFile ${user}.pub`,
    'PidFile none',
    'StrictModes no',
    'UsePAM no',
    // Ten times as fast as the default.
    'KexAlgorithms curve25519-sha256',
    'PermitRootLogin yes',
    // A client without the right key would ask for it.
    'PasswordAuthentication yes',
    'SetEnv GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1',
  ]
  const config = join(folder, 'sshd_config')
  writeFileSync(config, settings.map((line) => `${line}\n`).join(''))
  // The package makes it only where it starts the system's own server.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 })
  const server = spawn(SSHD!, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    server.on('error', reject)
    server.on('exit', () => reject(new Error(`sshd has ended: ${printed}`)))
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      if (printed.includes('Server listening')) resolve()
    })
  })
  const command: SshServer['command'] = (more = {}) =>
    [
      ...['ssh', '-F', '/dev/null', '-p', String(port), '-i', more.key ?? user],
      ...['-o', 'IdentitiesOnly=yes', '-o', 'IdentityAgent=none', '-o', 'StrictHostKeyChecking=yes'],
      ...[
        '-o',
        `UserKnownHostsFile=${more.knownHosts ?? knownHosts}`,
        '-o',
        'GlobalKnownHostsFile=/dev/null',
      ],
    ].join(' ')
  return { port, command, newKey, close: () => server.kill() }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return Object(address).port
}
