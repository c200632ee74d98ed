import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { spoken } from '../../helpers/history-lab.ts'
import { connect, openMachines, sync, twoMachines } from '../../helpers/machines.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

describe('a conversation whose session.json was removed by hand', () => {
  const begun = async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Quokka', 'xylophone')
    await stop()
    await connect(place, one, two)
    for (const gone of [join(path, '.session/session.json'), '.git/cortext/metadata'])
      rmSync(join(one.root, gone), { recursive: true })
    return { one, two, path }
  }

  test('is the same one after the next save, and goes on', async () => {
    const { one, two, path } = await begun()
    await one.json(['save', path, '--json'])
    expect(JSON.parse(filesBelow(join(one.root, path))['.session/session.json']!)).toHaveProperty('origin')
    await sync(one)
    expect(await sync(one)).toMatchObject({ sent: [], taken: [], joined: [], unknown: [] })
    expect((await one.cortext(['doctor'])).stdout).toContain('has what was saved')
    await sync(two)
    for (const lab of [one, two]) expect(talk(await shown(lab, path))).toContain('user: xylophone')
  })

  test('loses nothing when its lines do not name it either', async () => {
    const { one, path } = await begun()
    const lines = join(one.root, path, '.session/messages.jsonl')
    writeFileSync(lines, readFileSync(lines, 'utf8').replaceAll(/,"origin":"[^"]*"/g, ''))
    await one.json(['save', path, '--json'])
    await sync(one)
    await sync(one)
    expect(existsSync(lines)).toBe(true)
    const { conversations } = await one.json<{ conversations: { path: string }[] }>([
      'list',
      '--all',
      '--json',
    ])
    const said = await Promise.all(conversations.map(async (found) => talk(await shown(one, found.path))))
    expect(said.flat()).toContain('user: xylophone')
  })
})

test('a record that another program wrote without an origin is sent, and two machines that have it have one conversation', async () => {
  const { machines, place, remove } = await openMachines(2)
  onTestFinished(remove)
  const path = 'conversations/2026-01-02/001-plan-pears'
  const session = {
    ...{ version: '1.0', conversation_id: '001-plan-pears', conversation_type: 'plan', title: 'Pears' },
    ...{ created_at: '2026-01-02T10:00:00Z', last_active: '2026-01-02T10:00:00Z', message_count: 1 },
  }
  const line = { id: 'm1', role: 'user', content: 'ripe ones', timestamp: '2026-01-02T10:00:00Z' }
  for (const lab of machines) {
    mkdirSync(join(lab.root, path, '.session'), { recursive: true })
    writeFileSync(join(lab.root, path, '.session/session.json'), JSON.stringify(session))
    writeFileSync(join(lab.root, path, '.session/messages.jsonl'), `${JSON.stringify(line)}\n`)
    await lab.json(['save', path, '--json'])
  }
  const [one, two] = machines as [Lab, Lab]
  expect((await one.json(['sync', '--to', place, '--json'])).sent).toEqual([path])
  expect(await two.json(['sync', '--to', place, '--json'])).toMatchObject({ sent: [], taken: [], joined: [] })
  for (const lab of machines) expect(talk(await shown(lab, path))).toEqual(['user: ripe ones'])
  expect((await one.json(['sync', '--json'])).sent).toEqual([])
})
