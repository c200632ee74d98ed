import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openMachines, say } from '../helpers/machines.ts'
import { SSHD, serveSsh } from '../helpers/ssh-server.ts'
import type { Lab } from '../helpers/workspace-lab.ts'

/** Two machines, and a server that both reach by ssh, with a place. */
async function served() {
  const { machines, place, remove } = await openMachines(2)
  onTestFinished(remove)
  const [one, two] = machines as [Lab, Lab]
  execFileSync('git', ['init', '--quiet', '--bare', place])
  const server = await serveSsh(join(one.home, 'ssh'))
  onTestFinished(server.close)
  const withKey = { env: { GIT_SSH_COMMAND: server.command() } }
  const url = `ssh://127.0.0.1:${server.port}${place}`
  return { one, two, place, server, withKey, url }
}

async function words(lab: Lab): Promise<string> {
  const { stdout } = await lab.cortext(['show', '1', '--messages'])
  return stdout
}

// CI installs the server, and lets no test of this folder be skipped.
describe.skipIf(SSHD === undefined)('a place that a server of OpenSSH serves', () => {
  // promise: and what ssh needs may be in `GIT_SSH_COMMAND`
  test('takes the conversations of two machines, by a URL and as host:path', async () => {
    const { one, two, place, withKey, url } = await served()
    await say(one, 'pears', 'said on one')
    await one.json(['sync', '--to', url, '--json'], withKey)
    const { taken } = await two.json<{ taken: string[] }>(
      ['sync', '--to', `127.0.0.1:${place}`, '--json'],
      withKey,
    )
    expect(taken).toHaveLength(1)
    await say(two, 'pears', 'said on two')
    for (const lab of [two, one]) await lab.json(['sync', '--json'], withKey)
    for (const lab of [one, two]) expect(await words(lab)).toMatch(/said on one.*said on two/s)
    await one.json(['delete', taken[0]!, '--yes', '--json'])
    for (const lab of [one, two]) await lab.json(['sync', '--json'], withKey)
    expect((await two.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations).toEqual(
      [],
    )
  })

  // promise: Sync asks for none
  test('a wrong key, and a server that is not known, end it with a plain error, and nobody is asked', async () => {
    const { one, server, url } = await served()
    await say(one, 'pears', 'said on one')
    const asked = join(one.home, 'asked')
    const askpass = join(one.home, 'askpass')
    writeFileSync(askpass, `#!/bin/sh\ntouch '${asked}'\necho secret\n`)
    chmodSync(askpass, 0o755)
    const asking = { DISPLAY: ':9', SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force', GIT_ASKPASS: askpass }
    for (const [command, why] of [
      [server.command({ key: server.newKey('other') }), 'Permission denied'],
      [server.command({ knownHosts: '/dev/null' }), 'Host key verification failed'],
    ] as const) {
      const env = { ...asking, GIT_SSH_COMMAND: command }
      const { code, stderr } = await one.cortext(['sync', '--to', url], { env })
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(why) })
      expect(stderr).toContain(`fix: git ls-remote ${url}\n`)
    }
    expect(existsSync(asked)).toBe(false)
  })
})
