import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { everything } from '../../helpers/history-lab.ts'
import {
  bytesAt,
  connect,
  labAt,
  pathWithKey,
  SECRET,
  say,
  sync,
  twoMachines,
  unredacted,
} from '../../helpers/machines.ts'
import { type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

const words = async (lab: Lab, path: string) => talk(await shown(lab, path)).join('\n')

// promise: what you delete or redact afterwards goes there too
describe('after --stop', () => {
  test.each(['before', 'after'])('what was deleted %s it does not come back from the place', async (when) => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'xylophone')
    await say(one, 'plums', 'stays')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    if (when === 'before') await one.json(['delete', path, '--yes', '--json'])
    await one.cortext(['sync', '--stop'])
    if (when === 'after') await one.json(['delete', path, '--yes', '--json'])
    await connect(place, one)
    expect((await sync(two)).deleted).toEqual([path])
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes).not.toContain('xylophone')
  })

  test('what was redacted is redacted at the place too, and each line is there once', async () => {
    const { one, two, place } = await twoMachines()
    await unredacted(one, () => say(one, 'pears', `the key is ${SECRET}`))
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    await one.cortext(['sync', '--stop'])
    await one.json(['redact', path, '--apply', '--json'])
    await connect(place, one)
    await sync(two)
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes).not.toContain(SECRET)
    for (const lab of [one, two]) expect((await words(lab, path)).match(/the key is/g)).toHaveLength(2)
  })

  test('what was deleted comes back with words that another machine had sent', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'begun')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    await say(two, 'pears', 'unseen')
    await sync(two)
    await one.cortext(['sync', '--stop'])
    await one.json(['delete', path, '--yes', '--json'])
    await connect(place, one)
    expect(await words(one, path)).toContain('unseen')
  })

  test('what was deleted, and sent to another place, comes back with words that were said at the first one', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'begun')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    await one.cortext(['sync', '--stop'])
    await one.json(['delete', path, '--yes', '--json'])
    await connect(join(one.home, 'other.git'), one)
    await say(two, 'pears', 'unseen')
    await sync(two)
    await connect(place, one)
    await sync(two)
    for (const lab of [one, two]) expect(await words(lab, path)).toContain('unseen')
  })

  test('what was deleted with another place goes from the first one too', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'xylophone')
    await connect(place, one, two)
    await connect(join(one.home, 'other.git'), one)
    await one.json(['delete', await pathWithKey(one, 'pears'), '--yes', '--json'])
    await sync(one)
    await connect(place, one)
    await sync(two)
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes).not.toContain('xylophone')
  })

  test('what another machine has deleted goes from an older copy of the place too', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'xylophone')
    await connect(place, one, two)
    const older = join(one.home, 'older.git')
    cpSync(place, older, { recursive: true })
    await two.json(['delete', await pathWithKey(two, 'pears'), '--yes', '--json'])
    for (const lab of [two, one]) await sync(lab)
    await connect(older, one)
    for (const bytes of [everything(one), bytesAt(older)]) expect(bytes).not.toContain('xylophone')
  })

  test('what was deleted goes from an older copy of the place too', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'xylophone')
    await connect(place, one)
    const older = join(one.home, 'older.git')
    cpSync(place, older, { recursive: true })
    await say(one, 'pears', 'later')
    await sync(one)
    await one.cortext(['sync', '--stop'])
    await one.json(['delete', await pathWithKey(one, 'pears'), '--yes', '--json'])
    await connect(older, one)
    for (const bytes of [everything(one), bytesAt(older)]) expect(bytes).not.toContain('xylophone')
  })

  test('a project goes on with the place as if it had never stopped', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'begun')
    await connect(place, one, two)
    await one.cortext(['sync', '--stop'])
    await say(one, 'pears', 'said here meanwhile')
    await say(two, 'pears', 'said there meanwhile')
    await sync(two)
    expect((await one.cortext(['list'])).stderr).not.toContain('Not yet sent')
    await connect(place, one)
    await sync(two)
    const path = await pathWithKey(one, 'pears')
    for (const lab of [one, two])
      for (const said of ['begun', 'said here', 'said there'])
        expect((await words(lab, path)).split(`${said}`)).toHaveLength(3)
  })
})

test('of two copies of a project, what one has redacted before either was sent is redacted at the place', async () => {
  const { one, place } = await twoMachines()
  await unredacted(one, () => say(one, 'pears', `the key is ${SECRET}`))
  await say(one, 'pears', 'later')
  cpSync(one.root, `${one.root}-copy`, { recursive: true })
  const copy = labAt(one, `${one.root}-copy`)
  const path = await pathWithKey(one, 'pears')
  await one.json(['redact', path, '--apply', '--json'])
  await connect(place, one, copy)
  await sync(one)
  expect(bytesAt(place)).not.toContain(SECRET)
  for (const lab of [one, copy]) {
    expect((await words(lab, path)).match(/the key is/g)).toHaveLength(2)
    expect((await words(lab, path)).match(/later/g)).toHaveLength(2)
  }
})

// promise: a machine on which redaction is off
test('where redaction is off, what another machine has redacted stays as it is, and all else goes on', async () => {
  const { one, two, place } = await twoMachines()
  await unredacted(one, () => say(one, 'pears', `the key is ${SECRET}`))
  await say(one, 'plums', 'first')
  await connect(place, one, two)
  const path = await pathWithKey(one, 'pears')
  const config = join(two.root, '.workspace/config.json')
  const before = readFileSync(config, 'utf8')
  await one.json(['redact', path, '--apply', '--json'])
  await say(one, 'plums', 'second')
  await sync(one)
  writeFileSync(config, JSON.stringify({ ...JSON.parse(before), redact: false }))
  await say(two, 'plums', 'third')
  await say(two, 'pears', 'said where redaction is off')
  for (const _ of [1, 2]) {
    const { unread } = await sync(two)
    expect(unread).toEqual([{ file: path, problem: expect.stringContaining('redact is off here') }])
    await sync(one)
    expect(bytesAt(place)).not.toContain(SECRET)
  }
  for (const lab of [one, two])
    expect(await words(lab, await pathWithKey(lab, 'plums'))).toMatch(/first.*second.*third/s)
  expect(await words(one, path)).not.toContain('redaction is off')
  writeFileSync(config, before)
  for (const lab of [two, one, two]) await sync(lab)
  for (const bytes of [everything(one), everything(two), bytesAt(place)]) expect(bytes).not.toContain(SECRET)
  for (const lab of [one, two]) {
    expect((await words(lab, path)).match(/the key is/g)).toHaveLength(2)
    expect(await words(lab, path)).toContain('said where redaction is off')
  }
})
