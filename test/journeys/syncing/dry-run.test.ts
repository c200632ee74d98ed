import { existsSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { historyOf, spoken } from '../../helpers/history-lab.ts'
import { bytesAt, labAt, openMachines, pathWithKey, say, twoMachines } from '../../helpers/machines.ts'
import { filesBelow, type Lab } from '../../helpers/workspace-lab.ts'

const KEY = ['ghp_', 'k3J9xQ2mV7bT4wZ8nR6cY1dF5gH0sLpAuEo2'].join('')

interface Answer {
  place: string
  conversations: { path: string; new: boolean }[]
  secrets: { file: string; found: Record<string, number> }[]
  kept: string[]
}

const dryRun = (lab: Lab, ...more: string[]) => lab.json<Answer>(['sync', '--dry-run', ...more, '--json'])

test('a conversation whose folder was renamed is listed once, and is new only if it was never sent', async () => {
  const { one, place } = await twoMachines()
  await say(one, 'pears', 'words')
  const path = await pathWithKey(one, 'pears')
  renameSync(join(one.root, path), join(one.root, `${path}-soon`))
  expect((await dryRun(one, '--to', place)).conversations).toEqual([{ path: `${path}-soon`, new: true }])
  await one.json(['sync', '--to', place, '--json'])
  await say(one, 'pears', 'more words')
  renameSync(join(one.root, `${path}-soon`), join(one.root, `${path}-later`))
  expect((await dryRun(one)).conversations).toEqual([{ path: `${path}-later`, new: false }])
})

// promise: `cortext sync --dry-run` lists what would be sent
test('what would be sent is listed with the secrets in it, and nothing is sent or changed', async () => {
  const { one, two, place } = await twoMachines()
  const { path, stop } = await spoken(one, 'Pears', 'words')
  await stop()
  writeFileSync(join(one.root, path, 'plan.md'), `Our key is ${KEY}\n`)
  const { path: kept } = await one.json<{ path: string }>(['start', 'plan', 'Mine', '--keep-here', '--json'])
  const before = filesBelow(historyOf(one))
  const secrets = [{ file: `${path}/plan.md`, found: { 'github-token': 1 } }]
  const first = await dryRun(one, '--to', place)
  expect(first).toMatchObject({ place, conversations: [{ path, new: true }], kept: [kept] })
  expect(first.secrets.map(({ file }) => file)).toEqual(secrets.map(({ file }) => file))
  const { stdout, stderr } = await one.cortext(['sync', '--dry-run', '--to', place])
  expect(stdout).toContain(`  new  ${path}`)
  expect(stdout).toMatch(/plan\.md: 1 /)
  expect(stdout + stderr).not.toContain(KEY)
  const typed = ['--to', place, '--seal', '--branch', 'mine', '--personal', '--auto']
  const wished = await one.cortext(['sync', '--dry-run', ...typed])
  expect(wished.stderr).toContain(
    `${place} is not there yet.\nNothing was sent. To send it: cortext sync ${typed.join(' ')}\n`,
  )
  expect((await two.cortext(['sync', '--dry-run', '--to', place])).stdout).toBe(
    `Nothing would be sent to ${place}.\n${place} is not there yet.\n`,
  )
  expect(existsSync(place)).toBe(false)
  expect(filesBelow(historyOf(one))).toEqual(before)

  writeFileSync(join(one.root, path, 'plan.md'), 'No key\n')
  for (const lab of [one, two]) await lab.json(['sync', '--to', place, '--json'])
  expect((await dryRun(one)).conversations).toEqual([])
  // What is being talked about goes after its stop.
  const next = await spoken(one, 'Apples', 'not yet')
  expect((await one.cortext(['sync', '--dry-run'])).stderr).toContain(
    'Nothing was sent. To send it: cortext sync\n',
  )
  expect((await dryRun(one)).conversations.map((each) => each.path)).toEqual([next.path])
  await next.claude.turn('and not this')
  await next.stop()
  writeFileSync(join(one.root, path, 'plan.md'), 'Edited\n')
  const last = await dryRun(one)
  expect(last.conversations).toEqual(
    expect.arrayContaining([
      { path, new: false },
      { path: next.path, new: true },
    ]),
  )
  expect(bytesAt(place)).not.toContain('Edited')
  expect((await one.json<{ sent: string[] }>(['sync', '--json'])).sent.toSorted()).toEqual(
    last.conversations.map((each) => each.path).toSorted(),
  )
})

test('what only another work tree has would go too, with its secrets', async () => {
  const { machines, place, remove } = await openMachines(1)
  onTestFinished(remove)
  const [one] = machines as [Lab]
  one.git('worktree', 'add', '--quiet', '../second')
  const there = labAt(one, join(one.root, '../second'))
  await say(there, 'saved', 'words')
  await there.json(['save', '--json', '1'])
  const { path } = await there.json<{ path: string }>(['start', 'plan', 'Mine', '--json'])
  writeFileSync(join(there.root, path, 'plan.md'), `Our key is ${KEY}\n`)
  await one.cortext(['list'])
  const { conversations, secrets } = await dryRun(one, '--to', place)
  expect(conversations).toHaveLength(2)
  expect(secrets.map(({ file }) => file)).toEqual([`${path}/plan.md`])
  const { sent } = await one.json<{ sent: string[] }>(['sync', '--to', place, '--json'])
  expect(sent.toSorted()).toEqual(conversations.map((each) => each.path).toSorted())
})

test('turns of an agent loop that were never saved would go too, and without a place it says how to name one', async () => {
  const { machines, place, remove } = await openMachines(1)
  onTestFinished(remove)
  const [one] = machines as [Lab]
  await say(one, 'pears', 'words')
  expect((await dryRun(one, '--to', place)).conversations).toHaveLength(1)
  const { code, stderr } = await one.cortext(['sync', '--dry-run'])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('cortext sync --to') })
})
