import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { clients } from '../../../src/clients/index.ts'
import { clientFindings, compareVersions, probe } from '../../../src/journeys/doctor/clients.ts'
import { diagnose } from '../../../src/journeys/doctor/index.ts'
import { OLDEST_NODE, programFindings } from '../../../src/journeys/doctor/program.ts'
import { doctorLab, VERSIONS } from '../../helpers/doctor-lab.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'
import { putProgram } from '../../helpers/stand-ins.ts'

describe('the version of a client, compared with the tested ones,', () => {
  const { claude } = clients
  const told = (client: typeof claude, version: string) => {
    const [{ severity, code } = { severity: '', code: '' }] = clientFindings(client, { path: '/c', version })
    return `${severity} ${code}`
  }

  it('is tested, between tested ones, newer or older', () => {
    expect(told(claude, claude.tested[0]!)).toBe('ok tested')
    expect(told(claude, '2.1.200')).toBe('ok between-tested')
    expect(told(claude, '2.2.0')).toBe('note newer-than-tested')
    expect(told(claude, '1.0.80')).toBe('note older-than-tested')
  })

  it('is compared by numbers, not by letters', () => {
    expect(compareVersions('2.1.330', '2.1.99')).toBeGreaterThan(0)
    expect(compareVersions('1.18.33', '1.18.33')).toBe(0)
    expect(compareVersions('0.9.0', '0.61.0')).toBeLessThan(0)
  })
})

describe('asking a program for its version', () => {
  const machine = (script: string) => {
    const home = tempFolder()
    putProgram(join(home, 'bin'), 'claude', script)
    return placeOf(home, { HOME: home, PATH: `${home}/bin:/usr/bin:/bin` })
  }

  it('finds the version in its output', async () => {
    const environment = machine("echo; echo 'claude version 2.1.330 (Claude Code)'")
    expect(await probe(environment, 'claude', 5_000)).toEqual({
      path: `${environment.home}/bin/claude`,
      version: '2.1.330',
    })
  })

  // promise: it runs each client on PATH with `--version`, in a home of its own.
  it('leaves nothing in the home of the person, who may need theirs for it to work', async () => {
    const environment = machine('echo x > "$HOME/litter"; echo 1.2.3')
    expect(await probe(environment, 'claude', 5_000)).toMatchObject({ version: '1.2.3' })
    expect(existsSync(join(environment.home, 'litter'))).toBe(false)
    const shim = machine('[ -d "$HOME/bin" ] || { echo "no version is set" >&2; exit 126; }; echo 1.2.3')
    expect(await probe(shim, 'claude', 5_000)).toMatchObject({ version: '1.2.3' })
  })

  it('says why there is no version', async () => {
    const failing = ['echo "no such module" >&2; exit 3', 'echo hello', 'kill -9 $$']
    const failures = await Promise.all(
      failing.map(async (script) => (await probe(machine(script), 'claude', 5_000)).failure),
    )
    expect(failures).toEqual([
      'exit code 3: no such module',
      'exit code 0: hello',
      'it was ended by a signal',
    ])
    expect(await probe(machine(':'), 'gemini', 5_000)).toEqual({ path: undefined })
  })

  it('ends a program that hangs, and what that has started', async () => {
    const environment = machine('sleep 60 & echo $! > "$PIDS"; wait')
    const pids = join(environment.home, 'pids')
    const asked = { ...environment, env: { ...environment.env, PIDS: pids } }
    expect(await probe(asked, 'claude', 2_500)).toMatchObject({ failure: 'it did not answer within 2.5 s' })
    const pid = Number(readFileSync(pids, 'utf8'))
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})

test('doctor reports a client that hangs, checks everything else all the same, and does not run that client again', async () => {
  const lab = await doctorLab()
  for (const name of Object.keys(VERSIONS)) rmSync(join(lab.bin, name))
  putProgram(lab.bin, 'opencode', `echo "$*" >> '${lab.home}/asked'; exec sleep 60`)
  putProgram(lab.bin, 'claude', 'echo 2.1.330')
  lab.put(join(lab.home, '.local', 'share', 'opencode', 'opencode.db'), '')
  const { sections } = await diagnose(lab.environment, { version: '0.1.0', patience: 2_500 })
  const findings = sections.flatMap((section) => section.findings)
  expect(findings.filter(({ severity }) => severity === 'problem')).toMatchObject([
    { code: 'client-fails', message: expect.stringContaining('OpenCode') },
  ])
  expect(findings.map(({ message }) => message)).toContain('Claude Code 2.1.330, tested')
  expect(sections).toHaveLength(7)
  expect(readFileSync(`${lab.home}/asked`, 'utf8')).toBe('--version\n')
})

// promise: Needs Node 20.19 or newer
test('the oldest node is the one that package.json asks for', () => {
  const { engines } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'))
  expect(engines.node.replace('>=', '').concat('.0')).toBe(OLDEST_NODE)
  expect(programFindings('1.0.0', { path: '/c', version: '1.0.0' }).map(({ code }) => code)).toEqual([
    'node',
    'program',
  ])
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // One that has ended and that nobody has waited for is still in the table.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
