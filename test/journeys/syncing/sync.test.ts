import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { spoken } from '../../helpers/history-lab.ts'
import { connect, pathWithKey, say, sync, twoMachines } from '../../helpers/machines.ts'
import { BIN, filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'

describe('Q-14, two machines with clones of one project', () => {
  // promise: `cortext sync` exchanges the conversations
  // promise: _Private_ ones go by `cortext sync`
  // promise: exchanges private conversations with your other
  // promise: all that a stop, a save or the end of a session has saved
  // promise: has your private conversations as far as they are saved
  test('what is begun on one goes on at the other, and comes back', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'API design', 'REST or GraphQL?')
    writeFileSync(join(one.root, path, 'plan.md'), '# API\n\nREST it is\n')
    await stop()
    await connect(place, one, two)
    expect(filesBelow(join(two.root, path))['plan.md']).toBe('# API\n\nREST it is\n')
    const printed = await two.cortext(['resume', '1', '--print'])
    expect(printed.stdout).toContain('REST or GraphQL?')
    const claude = new ClaudeSession(two)
    await claude.command('workspace.resume', '1', () =>
      two.cortext(['agent', 'resume', '1'], { env: claude.env }),
    )
    await claude.turn('and on Thursday?')
    await two.json(['stop', '--json'], { env: claude.env })
    expect((await sync(two)).sent).toEqual([path])
    expect((await sync(one)).joined).toEqual([path])
    const both = await Promise.all([one, two].map(async (lab) => talk(await shown(lab, '1'))))
    expect(both[0]).toEqual(both[1])
    expect(both[0]).toEqual(expect.arrayContaining(['user: REST or GraphQL?', 'user: and on Thursday?']))
    expect(await sync(two)).toMatchObject({ sent: [], taken: [], joined: [] })
  })

  test('two prunes of the same lines become one: search, context and restore have each word once', async () => {
    const { one, two, place } = await twoMachines()
    for (const word of ['pears', 'plums', 'quinces']) await say(one, 'loop', word)
    await connect(place, one, two)
    await say(two, 'loop', 'medlars')
    for (const lab of [one, two]) await lab.json(['prune', '1', '--keep', '1', '--yes', '--json'])
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) {
      const { hits } = await lab.json<{ hits: { total: number }[] }>(['search', 'pears', '--json'])
      expect(hits.map(({ total }) => total)).toEqual([2])
      const { receipt } = await lab.json<{ receipt: { pruned: { messages: number } } }>([
        'context',
        '1',
        '--json',
      ])
      expect(receipt.pruned.messages).toBe(6)
    }
    expect(filesBelow(join(one.root, 'conversations'))).toEqual(filesBelow(join(two.root, 'conversations')))
  })

  // promise: The repository of your project gets nothing of it
  // promise: Your project's repository is never pushed or fetched.
  test('the repository of the project gets nothing of it', async () => {
    const { one, two, place } = await twoMachines()
    const before = [one, two].map((lab) => lab.git('for-each-ref') + lab.git('count-objects', '-v'))
    const { stop } = await spoken(one, 'API', 'words')
    await stop()
    await connect(place, one, two)
    expect([one, two].map((lab) => lab.git('for-each-ref') + lab.git('count-objects', '-v'))).toEqual(before)
    expect([one, two].map((lab) => lab.git('status', '--porcelain'))).toEqual(['', ''])
  })

  // promise: Two conversations that began under one name
  test('two conversations that began under one name on one day are two on both', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    for (const [lab, word] of [
      [one, 'first'],
      [two, 'second'],
    ] as const)
      await (await spoken(lab, 'Plan', word)).stop()
    for (const lab of [one, two, one]) await sync(lab)
    const said = await Promise.all(
      [one, two].map(async (lab) => {
        const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--json'])
        const paths = conversations.map(({ path }) => path).sort()
        return Promise.all(paths.map(async (path) => [path, talk(await shown(lab, path))[2]]))
      }),
    )
    expect(said[0]).toEqual(said[1])
    expect(said[0]!.map(([, first]) => first).sort()).toEqual(['user: first', 'user: second'])
  })

  // promise: Where both have changed a document
  // promise: where they meet, the other version is beside it
  test('a document that both have changed has both changes; where they meet, both versions are there', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'API', 'words')
    const document = (lab: Lab) => join(lab.root, path, 'plan.md')
    const lines = ['top', '', 'middle', '', 'bottom']
    writeFileSync(document(one), `${lines.join('\n')}\n`)
    await stop()
    await connect(place, one, two)
    writeFileSync(document(one), `${lines.join('\n')}\n`.replace('top', 'TOP'))
    writeFileSync(document(two), `${lines.join('\n')}\n`.replace('bottom', 'BOTTOM'))
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two])
      expect(readFileSync(document(lab), 'utf8')).toBe('TOP\n\nmiddle\n\nBOTTOM\n')
    writeFileSync(document(one), 'of one\n')
    writeFileSync(document(two), 'of two\n')
    await sync(one)
    // Both are told: the one that joins, and the one whose text is in the file beside it then.
    const told = [await two.cortext(['sync']), await one.cortext(['sync'])].map(({ stderr }) => stderr)
    for (const lines of told)
      expect(lines).toMatch(
        /Two machines have changed \S+\/plan\.md in the same place\. The other version is beside it, in \S+\/plan-[0-9a-f]{8}\.md/,
      )
    expect(await sync(two)).toMatchObject({ conflicts: [] })
    for (const lab of [one, two]) {
      const texts = Object.entries(filesBelow(join(lab.root, path))).filter(([name]) => name.endsWith('.md'))
      expect(texts.map(([, text]) => text).sort()).toEqual(['of one\n', 'of two\n'])
    }
  })

  // promise: it means the older one on both then, though lists show it with both, and sync says so
  test('two agent loops that began under one key are told which one the key means', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    for (const lab of [one, two]) await say(lab, 'bot:key', `words of ${lab === one ? 'one' : 'two'}`)
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain(
      'Two machines began a conversation with the key bot:key. The key now means the older one,',
    )
    expect(stderr).toContain('lists show the key with both.')
    const { keys } = await sync(one)
    expect(keys).toMatchObject([{ key: 'bot:key', others: [expect.any(String)] }])
    expect(talk(await shown(one, keys[0]!.others[0]!))).toContain('user: words of two')
    expect(talk(await shown(two, keys[0]!.means))).toContain('user: words of one')
    for (const lab of [one, two]) {
      const { conversations } = await lab.json<{ conversations: { key?: string }[] }>(['list', '--json'])
      expect(conversations.map(({ key }) => key)).toEqual(['bot:key', 'bot:key'])
      await say(lab, 'bot:key', 'and on')
      expect(talk(await shown(lab, keys[0]!.means))).toContain('user: and on')
    }
    await sync(one)
    expect(await sync(one)).toMatchObject({ keys: [] })
  })

  // promise: Commands and types of the place come too
  test('a type of the person’s own goes along, with its command, and git does not see its folder', async () => {
    const { one, two, place } = await twoMachines()
    await one.json(['init', '--add-type', 'rfc', '--json'])
    const registry = join(one.root, '.workspace/registry.json')
    const types = JSON.parse(readFileSync(registry, 'utf8'))
    types.types.rfc.folder = 'rfcs'
    writeFileSync(registry, JSON.stringify(types))
    await one.json(['init', '--private', '--json'])
    const { path } = await one.json<{ path: string }>(['start', 'rfc', 'Errors', '--json'])
    await one.json(['save', path, '--json'])
    await connect(place, one, two)
    expect(existsSync(join(two.root, path, 'rfc.md'))).toBe(true)
    expect(existsSync(join(two.root, '.workspace/commands/workspace.rfc.md'))).toBe(true)
    expect(two.git('status', '--porcelain')).toBe('')
  })
})

// promise: Of two titles one is chosen, and the sync that joins them says how to take the other.
test('a file that is there and cannot be read is not removed on the other machine', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'begun')
  const path = await pathWithKey(one, 'pears')
  const table = (lab: Lab) => join(lab.root, path, 'table.csv')
  writeFileSync(table(one), 'a,b\n')
  await one.json(['save', path, '--json'])
  await connect(place, one, two)
  rmSync(table(one))
  symlinkSync(join(one.home, 'table.csv'), table(one))
  await say(one, 'pears', 'and on')
  for (const lab of [one, two, one]) await sync(lab)
  expect(readFileSync(table(two), 'utf8')).toBe('a,b\n')
  expect(readlinkSync(table(one))).toBe(join(one.home, 'table.csv'))
})

test('where two machines have renamed a conversation, the second one is told which title it has now, and how to take the other', async () => {
  const { one, two, place } = await twoMachines()
  await connect(place, one)
  await say(one, 'pears', 'ripe ones')
  await sync(one)
  await connect(place, two)
  await one.json(['edit', '--key', 'pears', '--title', 'Pears of one', '--json'])
  await two.json(['edit', '--key', 'pears', '--title', "Two's pears", '--json'])
  await sync(one)
  const told = (await two.cortext(['sync'])).stderr
  const [, now] = /Its title is now "(.*?)"/.exec(told)!
  const titleOn = async (lab: Lab) =>
    (await lab.json<{ conversations: { title: string }[] }>(['list', '--json'])).conversations[0]!.title
  expect(await titleOn(two)).toBe(now)
  const other = ['Pears of one', "Two's pears"].find((title) => title !== now)!
  const command = /To take the other one: (cortext edit .*)/.exec(told)![1]!
  execFileSync('sh', ['-c', command.replace('cortext', `"${process.execPath}" "${BIN}"`)], {
    cwd: two.root,
    env: { ...two.env },
  })
  for (const lab of [two, one]) expect((await lab.cortext(['sync'])).stderr).not.toContain('Two machines')
  for (const lab of [one, two]) expect(await titleOn(lab)).toBe(other)
})

// promise: A title that comes from another machine is named
test('a title that another machine has changed is told, once, also where its own had to give way', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'ripe ones')
  await connect(place, one, two)
  const rename = (lab: Lab, title: string) => lab.json(['edit', '--key', 'pears', '--title', title, '--json'])
  const told = async (lab: Lab) => (await lab.cortext(['sync'])).stderr
  await rename(one, 'Ripe pears')
  expect(await told(one)).toBe('')
  const [path] = (await sync(two)).renamed.map((named) => named.path)
  await rename(two, 'Plums')
  await sync(two)
  expect(await told(one)).toBe(
    `Another machine has renamed ${path}, here "Ripe pears". Its title is now "Plums".\n`,
  )
  expect(await told(one)).toBe('')
})

test('a key that was deleted on one machine and begun anew means the new conversation on the other too', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'bot', 'begun')
  await connect(place, one, two)
  const old = await pathWithKey(one, 'bot')
  await say(two, 'bot', 'never sent')
  await one.json(['delete', old, '--yes', '--json'])
  await sync(one)
  await say(one, 'bot', 'begun anew')
  await sync(one)
  const { asked, keys } = await sync(two)
  expect({ asked, keys }).toEqual({ asked: [old], keys: [] })
  await say(two, 'bot', 'goes on')
  await sync(two)
  await sync(one)
  expect(talk(await shown(one, await pathWithKey(one, 'bot')))).toEqual(
    expect.arrayContaining(['user: begun anew', 'user: goes on']),
  )
  expect(talk(await shown(two, old))).toContain('user: never sent')
})

// promise: documents as they are now
test('a document that a person has removed is removed on the other machine, and may come back', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'words')
  const path = await pathWithKey(one, 'pears')
  writeFileSync(join(one.root, path, 'notes.md'), 'mine\n')
  await connect(place, one, two)
  rmSync(join(one.root, path, 'notes.md'))
  expect(await sync(one)).toMatchObject({ sent: [path], unsaved: [] })
  expect((await sync(two)).joined).toEqual([path])
  expect(existsSync(join(two.root, path, 'notes.md'))).toBe(false)
  for (const lab of [one, two]) expect(await sync(lab)).toMatchObject({ sent: [], joined: [], unsaved: [] })
  writeFileSync(join(two.root, path, 'notes.md'), 'mine\n')
  await sync(two)
  await sync(one)
  expect(readFileSync(join(one.root, path, 'notes.md'), 'utf8')).toBe('mine\n')
})

test('a document whose name looks like that of another version is nobody’s conflict', async () => {
  const { one, two, place } = await twoMachines()
  await say(one, 'pears', 'words')
  const path = await pathWithKey(one, 'pears')
  await connect(place, one, two)
  for (const name of ['plan.md', 'plan-1a2b3c4d.md']) writeFileSync(join(one.root, path, name), `${name}\n`)
  await sync(one)
  expect(await sync(two)).toMatchObject({ joined: [path], conflicts: [] })
})
