import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { syncUnseen } from '../../../src/journeys/syncing/sync-unseen.ts'
import { readAutoSync, whileNoSync } from '../../../src/store/machine/place.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { spoken } from '../../helpers/history-lab.ts'
import {
  bytesAt,
  labAt,
  openMachines,
  pathWithKey,
  say,
  twoMachines,
  unredacted,
} from '../../helpers/machines.ts'
import { BIN, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

/** Two machines whose person has named a place for all workspaces. */
async function connected(...more: string[]): Promise<{ one: Lab; two: Lab; place: string }> {
  const { one, two, place } = await twoMachines()
  for (const lab of [one, two]) await lab.json(['sync', '--to', place, '--personal', ...more, '--json'])
  return { one, two, place }
}

/** A clone of another project on a machine, by this address. */
function otherProject(lab: Lab, address = 'https://forge.example/me/other.git', name = 'other'): Lab {
  const root = join(lab.home, name)
  mkdirSync(root)
  const git = (...args: string[]) => execFileSync('git', ['-C', root, ...args], { env: lab.env })
  git('init', '--quiet')
  git('commit', '--quiet', '--allow-empty', '--message', `begun at ${address.length} as ${name}`)
  git('remote', 'add', 'origin', address)
  return labAt(lab, root)
}

const titles = async (lab: Lab) => {
  const { conversations } = await lab.json<{ conversations: { title: string }[] }>([
    'list',
    '--all',
    '--json',
  ])
  return conversations.map(({ title }) => title).sort()
}

const init = (lab: Lab) => lab.cortext(['init', '--private', '--in', 'claude'])

// promise: from then on `cortext init` in a clone of any of your projects
// promise: `cortext init` brings its conversations
test('a new clone on the second machine has what the first one has sent as soon as it is set up', async () => {
  const { one, two, place } = await connected()
  const [here, there] = [otherProject(one), otherProject(two, 'git@forge.example:me/other')]
  const first = await init(here)
  expect(first.stdout).toContain(
    `To send the conversations to ${place}, the place of your workspaces: cortext sync`,
  )
  await say(here, 'pears', 'words')
  await say(here, 'apples', 'words')
  const { stdout } = await here.cortext(['sync'])
  expect(stdout).toContain('2 conversations sent')
  const second = await init(there)
  expect(second.stdout).toContain(
    `2 conversations of this project were at ${place}, the place of your workspaces: cortext list`,
  )
  expect(await titles(there)).toEqual(['apples', 'pears'])
  // The other projects of these machines get nothing of it.
  for (const lab of [one, two]) expect(await titles(lab)).toEqual([])
})

test('a place that cannot be reached, and a project that may be another, stop no init; it says how to go on', async () => {
  const { one, two, place } = await connected()
  renameSync(place, `${place}-away`)
  const away = await init(otherProject(one))
  expect(away).toMatchObject({ code: 0, stdout: expect.stringContaining(`Not taken from ${place}`) })
  renameSync(`${place}-away`, place)
  await labAt(one, join(one.home, 'other')).json(['sync', '--json'])
  const fork = otherProject(two, 'https://forge.example/us/other.git')
  execFileSync('git', ['-C', fork.root, 'fetch', '--quiet', join(one.home, 'other')], { env: two.env })
  execFileSync('git', ['-C', fork.root, 'reset', '--quiet', '--hard', 'FETCH_HEAD'], { env: two.env })
  const { code, stdout } = await init(fork)
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining('--branch') })
})

// promise: With `--personal` it is that of your other private workspaces too
test('a workspace that has stopped is sent nowhere, and one that has a place of its own keeps it', async () => {
  const { one, place } = await connected()
  const other = otherProject(one)
  await init(other)
  await say(other, 'pears', 'a secret of mine')
  await other.json(['save', 'pears', '--json'])
  expect((await other.cortext(['list'])).stderr).toContain('Not yet sent to your other machines')
  await other.json(['sync', '--stop', '--json'])
  expect((await other.cortext(['list'])).stderr).not.toContain('Not yet sent')
  expect((await other.cortext(['sync'])).code).toBe(1)
  expect(bytesAt(place)).not.toContain('a secret of mine')
  const { stopped } = await one.json<{ stopped: string }>(['sync', '--stop', '--personal', '--json'])
  expect(stopped).toBe(place)
  await one.json(['sync', '--json'])
})

// promise: never before you have set it up or synced it on this machine
test('a clone that brings the setting sends nothing', async () => {
  const { one, place } = await connected('--auto')
  const clone = otherProject(one)
  mkdirSync(join(clone.root, '.workspace'))
  const settings = { visibility: 'private', sync: { auto: true } }
  writeFileSync(join(clone.root, '.workspace/config.json'), JSON.stringify(settings))
  await say(clone, 'pears', 'words of a stranger')
  await clone.json(['save', '1', '--json'])
  await clone.cortext(['list'])
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(bytesAt(place)).not.toContain('words of a stranger')
})

// promise: `--auto` lets each workspace that is set up here
// promise: Without it: what `sync --personal --auto` said
test('by itself: a stop here is there when somebody looks at the list there', async () => {
  const { one, two } = await connected('--auto')
  const { path } = await one.json<{ path: string }>(['start', 'plan', 'Pears', '--json'])
  await one.json(['stop', path, '--json'])
  await until(async () => {
    // As if some minutes had passed.
    rmSync(join(two.root, '.git/cortext/auto-sync.json'), { force: true })
    return (await titles(two)).includes('Pears')
  })
  expect((await one.cortext(['list'])).stderr).not.toContain('Not yet sent')
})

// promise: From then on each stop, save and end of a session is sent, a resume looks first
test('by itself: a workspace from before, and one whose init could not reach the place', async () => {
  const { machines, place, remove } = await openMachines(1)
  onTestFinished(remove)
  const [one] = machines as [Lab]
  const before = otherProject(one)
  await init(before)
  await one.json(['sync', '--to', place, '--personal', '--auto', '--json'])
  renameSync(place, `${place}-away`)
  const away = otherProject(one, 'https://forge.example/me/third.git', 'third')
  expect((await init(away)).stdout).toContain('Not taken from')
  renameSync(`${place}-away`, place)
  for (const [lab, title] of [
    [before, 'From before'],
    [away, 'Not reached'],
  ] as const) {
    const { path } = await lab.json<{ path: string }>(['start', 'plan', title, '--json'])
    await lab.json(['stop', path, '--json'])
    await until(async () => bytesAt(place).includes(title))
  }
  const { claude, path } = await spoken(before, 'Quinces', 'said and saved')
  await until(async () => bytesAt(place).includes('said and saved'))
  await claude.turn('said at the end')
  await claude.hook('SessionEnd', { reason: 'exit' })
  await until(async () => bytesAt(place).includes('said at the end'))
  const gone = await before.cortext(['delete', path, '--yes'])
  expect(gone.stdout + gone.stderr).toMatch(/deleted there at once, .*The sync for it has begun\.\n/s)
  await before.json(['sync', '--json'])
  expect(bytesAt(place)).not.toContain('said at the end')
  const fresh = otherProject(one, 'https://forge.example/me/fourth.git', 'fourth')
  expect((await init(fresh)).stdout).toContain(
    `The conversations go to ${place}, the place of your workspaces, by themselves`,
  )
})

/** A sync that tidies the place up replaces files that are being read. */
function lacks(place: string, text: string): boolean {
  try {
    return !bytesAt(place).includes(text)
  } catch {
    return false
  }
}

test('by itself: what a script deletes or redacts, whose answer names the place', async () => {
  const { one, place } = await connected('--auto')
  const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
  await unredacted(one, () => say(one, 'pears', `the key is ${secret}`))
  await say(one, 'plums', 'to be deleted')
  await one.json(['sync', '--json'])
  const [pears, plums] = [await pathWithKey(one, 'pears'), await pathWithKey(one, 'plums')]
  expect(await one.json(['redact', pears, '--json'])).not.toHaveProperty('place')
  expect(await one.json(['redact', pears, '--apply', '--json'])).toMatchObject({ place })
  await until(async () => lacks(place, secret))
  expect(await one.json(['delete', plums, '--yes', '--json'])).toMatchObject({ place })
  await until(async () => lacks(place, 'to be deleted'))
})

test('by itself: what was saved while a sync was at work, which the sync for it has found', async () => {
  const { one, place } = await connected('--auto')
  const waiting = ['the second words', 'and the third']
  const saveNext = () => {
    const content = waiting.shift()
    if (content !== undefined)
      execFileSync(process.execPath, [BIN, 'append', '--key', 'pears', '--json'], {
        ...{ cwd: one.root, env: one.env, input: `${JSON.stringify({ role: 'user', content })}\n` },
      })
    return []
  }
  await say(one, 'pears', 'the first words')
  await syncUnseen(openWorkspace(one.environment), saveNext)
  expect(waiting).toEqual([])
  for (const words of ['the first words', 'the second words', 'and the third'])
    expect(bytesAt(place).includes(words), words).toBe(true)
})

test('what a sync that nobody saw has to tell stays until somebody has read it, whatever the next ones do', async () => {
  const { one, place } = await connected('--auto')
  await say(one, 'pears', 'words')
  const ws = openWorkspace(one.environment)
  const told = () => readAutoSync(ws.local)?.tell
  const unseen = (line: string) => syncUnseen(ws, () => [line])
  await unseen('the first')
  await unseen('the second')
  expect(told()).toEqual(['the first', 'the second'])
  renameSync(place, `${place}-away`)
  await unseen('none')
  expect(told()).toEqual(['the first', 'the second', expect.stringContaining('The automatic sync failed: ')])
  renameSync(`${place}-away`, place)
  await unseen('the second')
  expect(told()).toEqual(['the first', 'the second'])
  // A sync by hand tells it, but not where only a program reads.
  await one.json(['sync', '--json'])
  expect((await one.cortext(['sync'])).stderr).toBe('the first\nthe second\n')
  expect(told()).toEqual([])
})

test('a secret that only earlier versions of a document have is told to be at the place too', async () => {
  const { one, place } = await connected()
  const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
  await say(one, 'pears', 'words')
  const path = await pathWithKey(one, 'pears')
  const notes = join(one.root, path, 'notes.md')
  writeFileSync(notes, secret)
  await one.json(['sync', '--json'])
  writeFileSync(notes, 'taken out')
  const { stderr } = await one.cortext(['redact', path, '--apply'])
  expect(stderr).toContain(`What was sent of it to ${place} is redacted there too`)
  const done = await one.cortext(['sync'])
  expect(done.stdout).toContain(`1 conversation redacted at the place too, also in its history: ${path}`)
})

test('doctor and list know of turns of a loop that no sync has sent, and of a place that has nothing yet', async () => {
  const { one } = await connected()
  const codes = async (lab: Lab) => {
    const { stdout } = await lab.cortext(['doctor', '--json'])
    const { sections } = JSON.parse(stdout) as { sections: { findings: { code: string }[] }[] }
    return sections.flatMap(({ findings }) => findings.map(({ code }) => code))
  }
  await one.json(['sync', '--json'])
  expect(await codes(one)).toContain('sent')
  await say(one, 'pears', 'words')
  expect(await codes(one)).toContain('unsent')
  expect((await one.cortext(['list'])).stderr).toContain('Not yet sent')
  await one.json(['sync', '--json'])
  expect(await codes(one)).toContain('sent')
  const other = otherProject(one)
  await init(other)
  expect(await codes(other)).toContain('unsent')
})

// promise: What it could not do is told once
test('an automatic sync that fails is told once, and what is not sent each time', async () => {
  const { one, place } = await connected('--auto')
  renameSync(place, `${place}-away`)
  const { path } = await one.json<{ path: string }>(['start', 'plan', 'Pears', '--json'])
  await one.json(['stop', path, '--json'])
  const failed = 'The automatic sync failed: '
  const first = await until(async () => {
    const { stderr } = await one.cortext(['list'])
    return stderr.includes(failed) ? stderr : undefined
  })
  expect(first).toContain('Not yet sent to your other machines')
  const again = await one.cortext(['list'])
  expect(again.stderr).not.toContain(failed)
  expect(again.stderr).toContain('Not yet sent')
  const doctor = await one.cortext(['doctor', '--json'])
  const { sections } = JSON.parse(doctor.stdout) as { sections: { findings: { code: string }[] }[] }
  const codes = sections.flatMap(({ findings }) => findings.map(({ code }) => code))
  expect(codes).toEqual(expect.arrayContaining(['unsent', 'sync-failed']))
  renameSync(`${place}-away`, place)
  await one.json(['sync', '--json'])
  expect((await one.cortext(['list'])).stderr).not.toContain('Not yet sent')
})

// promise: `--no-auto` ends it
test('no sync begins by itself any more when the person does not want it', async () => {
  const { one, place } = await connected('--auto')
  const [, when] = /by itself from now on: (.*)\.$/m.exec((await one.cortext(['sync', '--auto'])).stdout)!
  const help = (await one.cortext(['sync', '--help'])).stdout.replaceAll(/\s+/g, ' ')
  expect(help).toContain(`sync by itself from now on: ${when} `)
  const { stdout } = await one.cortext(['sync', '--no-auto'])
  expect(stdout).toBe('It syncs only when you run cortext sync.\n')
  const { path } = await one.json<{ path: string }>(['start', 'plan', 'Pears', '--json'])
  await one.json(['stop', path, '--json'])
  expect((await one.cortext(['list'])).stderr).toContain('Not yet sent to your other machines')
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(bytesAt(place)).not.toContain('Pears')
})

async function until<T>(work: () => Promise<T | false | undefined>): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = await work()
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error('it did not come')
}

// promise: A resume looks first for what was said on the others
test('a resume has what was just said on the other machine, and says if it could not look', async () => {
  const { one, two, place } = await connected('--auto')
  await say(one, 'pears', 'on Monday')
  await one.json(['sync', '--json'])
  await two.json(['sync', '--json'])
  // Now the last look of the first machine is not old.
  await one.json(['sync', '--json'])
  await say(two, 'pears', 'on Thursday')
  await two.json(['sync', '--json'])
  const asked = await one.cortext(['resume', 'pears', '--in', 'claude', '--yes'])
  expect(asked.stderr).not.toContain('could not be asked')
  expect(talk(await shown(one, '001')).join()).toContain('on Thursday')
  renameSync(place, `${place}-away`)
  const { stderr } = await one.cortext(['resume', 'pears', '--in', 'claude', '--yes'])
  expect(stderr).toContain('could not be asked now (last sync: just now)')
})

test('a resume waits for a sync that is at work here, and looks again', async () => {
  const { one, two } = await connected('--auto')
  await say(one, 'pears', 'on Monday')
  await one.json(['sync', '--json'])
  await two.json(['sync', '--json'])
  await say(two, 'pears', 'on Thursday')
  await two.json(['sync', '--json'])
  const other = whileNoSync(openWorkspace(one.environment).local, () => sleep(3000))
  const { stderr } = await one.cortext(['resume', 'pears', '--in', 'claude', '--yes'])
  await other
  expect(stderr).not.toContain('could not be asked')
  expect(talk(await shown(one, '001')).join()).toContain('on Thursday')
})

// promise: A disk that is not connected is said to be missing
test('a project that has sent nothing yet does not go to the empty folder of a disk that is away', async () => {
  const { one } = await twoMachines()
  const disk = join(one.home, 'disk')
  const other = otherProject(one)
  await init(other)
  await say(one, 'pears', 'words')
  await say(other, 'plums', 'words')
  await one.json(['sync', '--to', disk, '--personal', '--json'])
  renameSync(disk, `${disk}-away`)
  mkdirSync(disk)
  const missing = { code: 1, stderr: expect.stringContaining('connect the disk') }
  expect(await other.cortext(['sync'])).toMatchObject(missing)
  await syncUnseen(openWorkspace({ ...other.environment, cwd: other.root }), () => [])
  expect(await one.cortext(['sync'])).toMatchObject(missing)
  expect(readdirSync(disk)).toEqual([])
  rmSync(disk, { recursive: true })
  renameSync(`${disk}-away`, disk)
  await other.json(['sync', '--json'])
  expect(readdirSync(disk)).toHaveLength(2)
  // Emptied on purpose, it is named again.
  rmSync(disk, { recursive: true })
  mkdirSync(disk)
  for (const lab of [one, other]) await lab.json(['sync', '--to', disk, '--json'])
  expect(readdirSync(disk)).toHaveLength(2)
})
