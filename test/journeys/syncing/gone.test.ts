import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { TEMP_SUFFIX } from '../../../src/io/atomic-write.ts'
import { dropNewsOf } from '../../../src/journeys/syncing/auto.ts'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { noteRedacted, readAutoSync, whileNoSync, writeAutoSync } from '../../../src/store/machine/place.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { everything, inHistory, spoken } from '../../helpers/history-lab.ts'
import {
  bytesAt,
  bytesInFolder,
  connect,
  labAt,
  pathWithKey,
  SECRET,
  say,
  sync,
  twoMachines,
  unredacted,
} from '../../helpers/machines.ts'
import { filesBelow, type Lab, shown, talk } from '../../helpers/workspace-lab.ts'
import { killed } from '../editing/gone/life.ts'

const noteOfSession = (local: string, path: string) =>
  join(local, 'metadata', `${encodeURIComponent(path)}.json`)

describe('what is deleted or redacted', () => {
  // promise: reach the place and the other machines
  // promise: in a folder it is removed at once
  test('goes on the other machine and at the place, out of the history too, and stays gone', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Quokka', 'xylophone')
    await stop()
    await connect(place, one, two)
    await two.json(['delete', path, '--yes', '--json'])
    await sync(two)
    expect((await sync(one)).deleted).toEqual([path])
    for (const bytes of [everything(one), everything(two), bytesAt(place)]) {
      expect(bytes).not.toContain('xylophone')
      expect(bytes).not.toContain('quokka')
    }
    for (const lab of [two, one]) expect(await sync(lab)).toMatchObject({ sent: [], taken: [], deleted: [] })
  })

  test('is gone where a sync was killed that had fetched it', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'plums', 'begun')
    await connect(place, one, two)
    await unredacted(one, () => say(one, 'pears', `the key is ${SECRET}`))
    const path = await pathWithKey(one, 'pears')
    await sync(one)
    // Each is killed after one more start of git than the one before.
    for (let git = 1; !everything(two).includes(SECRET); git += 1)
      expect((await killed(two, ['sync'], { git, how: 'after', ms: 0 })).code).toBe(null)
    await one.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two]) await sync(lab)
    expect(everything(two)).not.toContain(SECRET)
    expect(talk(await shown(two, path)).join()).toContain('the key is')
  })

  test.each([
    [
      'was renamed and saved',
      async (lab: Lab, path: string) => {
        renameSync(join(lab.root, path), join(lab.root, `${path}-train`))
        await lab.json(['edit', `${path}-train`, '--title', 'Train', '--json'])
        return `${path}-train`
      },
    ],
    [
      'was redacted',
      async (lab: Lab, path: string) => {
        await lab.json(['redact', path, '--apply', '--json'])
        return path
      },
    ],
  ])('stays gone, although it %s before that', async (_, change) => {
    const { one, two, place } = await twoMachines()
    await unredacted(one, () => say(one, 'pears', `the key of the xylophone is ${SECRET}`))
    await connect(place, one, two)
    const path = await change(one, await pathWithKey(one, 'pears'))
    await one.json(['delete', path, '--yes', '--json'])
    expect((await sync(one)).back).toEqual([])
    await sync(two)
    for (const [at, bytes] of [everything(one), everything(two), bytesAt(place)].entries()) {
      expect(bytes.includes('xylophone'), `${at}`).toBe(false)
      expect(bytes.includes(SECRET), `${at}`).toBe(false)
    }
  })

  test('is not taken back because another conversation was redacted', async () => {
    const { one, two, place } = await twoMachines()
    for (const key of ['pears', 'plums']) await unredacted(one, () => say(one, key, `${key} and ${SECRET}`))
    const [pears, plums] = [await pathWithKey(one, 'pears'), await pathWithKey(one, 'plums')]
    writeFileSync(join(one.root, plums, 'notes.md'), `the key is ${SECRET}\n`)
    await one.json(['save', plums, '--json'])
    await connect(place, one, two)
    await one.json(['redact', pears, '--apply', '--json'])
    await one.json(['delete', plums, '--yes', '--json'])
    expect((await sync(one)).back).toEqual([])
    expect((await sync(two)).deleted).toEqual([plums])
  })

  test('is gone here too where another machine has renamed what is kept here', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'begun')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    await one.json(['edit', path, '--keep-here', '--json'])
    await say(two, 'pears', 'the xylophone')
    renameSync(join(two.root, path), join(two.root, `${path}-train`))
    for (const lab of [two, one]) await sync(lab)
    expect(everything(one)).toContain('xylophone')
    await one.json(['delete', path, '--yes', '--json'])
    expect(everything(one)).not.toContain('xylophone')
  })

  test('as a secret of a document does not come back from a machine that has received it and could not send', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Quokka', 'xylophone')
    const document = (lab: Lab) => join(lab.root, path, 'plan.md')
    writeFileSync(document(one), 'A\n')
    await stop()
    await connect(place, one, two)
    writeFileSync(document(one), `A\nthe key is ${SECRET}\n`)
    await sync(one)
    await say(two, 'plums', 'news')
    const [branch] = readdirSync(join(place, 'refs/heads'))
    const lock = join(place, 'refs/heads', `${branch}.lock`)
    writeFileSync(lock, '')
    expect((await two.cortext(['sync'])).code).toBe(1)
    expect(readFileSync(document(two), 'utf8')).toContain(SECRET)
    rmSync(lock)
    writeFileSync(document(one), 'A\n')
    await one.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two, one]) await sync(lab)
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes).not.toContain(SECRET)
    for (const lab of [one, two]) expect(readFileSync(document(lab), 'utf8')).not.toContain(SECRET)
  })

  test('does not look as if somebody had put the place back, where one commit sent it with another conversation', async () => {
    const { one, two, place } = await twoMachines()
    for (const key of ['pears', 'quokka']) await say(one, key, `about ${key}`)
    await connect(place, one, two)
    await two.json(['delete', await pathWithKey(two, 'quokka'), '--yes', '--json'])
    await sync(two)
    await say(one, 'pears', 'more of them')
    const done = await sync(one)
    expect(done.deleted).toHaveLength(1)
    expect(done).not.toHaveProperty('putBack')
  })

  test('goes where git takes a killed cleaning for a running one', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'quokka', 'xylophone')
    await connect(place, one)
    writeFileSync(join(place, 'gc.pid'), `${process.pid} ${hostname()}`)
    await one.json(['delete', await pathWithKey(one, 'quokka'), '--yes', '--json'])
    await sync(one)
    expect(bytesAt(place)).not.toContain('xylophone')
  })

  // promise: If another machine had sent words of it that yours did not have when you deleted it
  test.each(['a git repository', 'a plain folder'])(
    'that has words in %s which were not here yet comes back, and can then be deleted with them',
    async (kind) => {
      const { one, two, place: repository } = await twoMachines()
      const place = kind === 'a plain folder' ? join(one.home, 'Shared') : repository
      await say(one, 'pears', 'ripe ones')
      await say(one, 'seen', 'xylophone')
      await connect(place, one, two)
      await say(two, 'pears', 'said on two')
      await two.json(['edit', await pathWithKey(two, 'seen'), '--title', 'Seen', '--json'])
      await sync(two)
      const path = await pathWithKey(one, 'pears')
      const deleted = ['pears', 'seen']
      for (const key of deleted) await one.json(['delete', await pathWithKey(one, key), '--yes', '--json'])
      const { code, stderr } = await one.cortext(['sync'])
      expect({ code, stderr }).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('did not have all of its words'),
      })
      // A title is no word.
      expect((await sync(two)).deleted).toHaveLength(1)
      for (const lab of [one, two]) {
        const said = talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
        expect(said).toEqual(['user: ripe ones', 'user: said on two'])
      }
      await one.json(['delete', path, '--yes', '--json'])
      expect(await sync(one)).toMatchObject({ back: [], taken: [] })
      expect((await sync(two)).deleted).toEqual([path])
      const bytes = kind === 'a plain folder' ? bytesInFolder(place) : bytesAt(place)
      for (const all of [everything(one), everything(two), bytes])
        for (const word of ['said on two', 'xylophone']) expect(all.includes(word), word).toBe(false)
    },
  )

  // promise: or that the place no longer had
  test('at a place that was put back, asks where there are words that were sent before', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'ripe ones')
    await connect(place, one, two)
    cpSync(place, `${place}-before`, { recursive: true })
    await say(two, 'pears', 'said on two')
    await sync(two)
    rmSync(place, { recursive: true })
    renameSync(`${place}-before`, place)
    const path = await pathWithKey(one, 'pears')
    await one.json(['delete', path, '--yes', '--json'])
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain(`${path} was deleted on another machine, and`)
    expect(talk(await shown(two, path))).toContain('user: said on two')
  })

  // promise: If another machine has words of the conversation that were never sent
  test('with words on the other machine that were never sent, the person is asked', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'loop', 'first')
    await connect(place, one, two)
    await say(two, 'loop', 'never sent')
    const { conversations } = await one.json<{ conversations: { path: string }[] }>([
      'list',
      '--all',
      '--json',
    ])
    const { path } = conversations[0]!
    await one.json(['delete', path, '--yes', '--json'])
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain(
      `${path} was deleted on another machine, and has words here that were never sent.`,
    )
    expect(talk(await shown(two, path))).toContain('user: never sent')
    expect(bytesAt(place)).not.toContain('never sent')
    // Nothing says that it goes, also after more was said in it.
    expect(await two.json(['sync', '--dry-run', '--json'])).toMatchObject({
      conversations: [],
      deleted: [path],
    })
    await say(two, 'loop', 'more')
    const dry = await two.cortext(['sync', '--dry-run'])
    expect(dry.stdout).toContain('Nothing would be sent')
    expect(dry.stderr).toContain(`${path} was deleted on another machine: not sent`)
    expect((await two.cortext(['resume', path, '--print', '--in', 'claude'])).stderr).toContain(
      `It was deleted on another machine, so no sync sends it. To keep it for all: cortext fork ${path}`,
    )
    // A sync that nobody saw has it to tell; a sync by hand tells it once, and a list not after the deletion.
    await two.cortext(['sync', '--background'])
    expect((await two.cortext(['sync'])).stderr.match(/was deleted on another machine/g)).toHaveLength(1)
    await two.cortext(['sync', '--background'])
    await two.json(['delete', path, '--yes', '--json'])
    expect((await two.cortext(['list'])).stderr).not.toContain('was deleted on another machine')
    expect(await sync(two)).toMatchObject({ asked: [] })
  })

  // promise: or has renamed it
  // promise: If another machine has words of the conversation that were never sent
  test('while it is talked about on the other machine, the person is asked', async () => {
    const { one, two, place } = await twoMachines()
    const { path } = await spoken(two, 'Quokka', 'saved')
    await connect(place, two, one)
    await sync(two)
    const claude = ClaudeSession.inLab(two)
    await claude.turn('since the save')
    const document = Object.keys(filesBelow(join(two.root, path))).find((name) => name.endsWith('.md'))!
    writeFileSync(join(two.root, path, document), 'edited by hand\n')
    await one.json(['delete', '1', '--yes', '--json'])
    await sync(one)
    expect(await sync(two)).toMatchObject({ deleted: [], asked: [path], unsent: [path] })
    expect(readFileSync(join(two.root, path, document), 'utf8')).toBe('edited by hand\n')
    expect(talk(await shown(two, path))).toContain('user: since the save')
  })

  test('as the copy of a folder, is not the conversation, which stays on both machines', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'plums', 'begun')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'plums')
    const copy = path.replace('001-', '007-')
    cpSync(join(one.root, path), join(one.root, copy), { recursive: true })
    await one.json(['delete', copy, '--yes', '--json'])
    await say(one, 'plums', 'more')
    for (const lab of [one, two]) await sync(lab)
    for (const lab of [one, two]) {
      const said = talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
      expect(said).toEqual(['user: begun', 'user: more'])
    }
  })

  test('while it was kept here, comes back with words that another machine had sent meanwhile', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'begun')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    await one.json(['edit', path, '--keep-here', '--json'])
    await say(two, 'pears', 'unseen')
    await sync(two)
    await sync(one)
    await one.json(['delete', path, '--yes', '--json'])
    expect((await sync(one)).back).toEqual([path])
    for (const lab of [one, two]) expect(talk(await shown(lab, path)).join()).toContain('unseen')
  })

  test('and imported again and deleted again, stays deleted', async () => {
    const { one, two, place } = await twoMachines()
    const claude = new ClaudeSession(one)
    claude.say('the xylophone')
    const path = await imported(one, claude)
    await connect(place, one, two)
    await one.json(['delete', path, '--yes', '--json'])
    await one.json(['delete', await imported(one, claude), '--yes', '--json'])
    expect((await sync(one)).back).toEqual([])
    expect((await sync(two)).deleted).toEqual([path])
    expect(bytesAt(place)).not.toContain('xylophone')
  })

  test.each(['-copy', '0'])(
    'as the copy of a folder that a client has open, with the ending %s, takes no words with it',
    async (ending) => {
      const { one, two, place } = await twoMachines()
      await say(one, 'pears', 'begun')
      await connect(place, one, two)
      const path = await pathWithKey(one, 'pears')
      const claude = new ClaudeSession(one)
      await claude.command('workspace.resume', path, () =>
        one.cortext(['agent', 'resume', path], { env: claude.env }),
      )
      await say(one, 'pears', 'later')
      cpSync(join(one.root, path), join(one.root, `${path}${ending}`), { recursive: true })
      expect((await sync(one)).sent).toEqual([])
      await sync(two)
      await one.json(['delete', `${path}${ending}`, '--yes', '--json'])
      for (const lab of [two, one]) await sync(lab)
      await one.json(['stop', '--json'], { env: claude.env })
      for (const lab of [one, two]) await sync(lab)
      for (const lab of [one, two]) expect(talk(await shown(lab, path))).toContain('user: later')
    },
  )

  test('whose copied folder was saved and deleted before, is in no commit under the name of the copy', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'xylophone')
    await connect(place, one, two)
    const path = await pathWithKey(one, 'pears')
    cpSync(join(one.root, path), join(one.root, `${path}-copy`), { recursive: true })
    await one.json(['edit', `${path}-copy`, '--title', 'Copy', '--json'])
    await one.json(['delete', `${path}-copy`, '--yes', '--json'])
    expect(everything(one)).not.toContain(`${path}-copy`)
    await one.json(['delete', path, '--yes', '--json'])
    for (const lab of [one, two, one]) await sync(lab)
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes).not.toContain('xylophone')
  })

  test('with only another title on the other machine, the person is asked, and told of no words', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Quokka', 'xylophone')
    await stop()
    await connect(place, one, two)
    await two.json(['edit', path, '--title', 'Wombat', '--json'])
    await one.json(['delete', path, '--yes', '--json'])
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain(
      'was deleted on another machine, and its title, status or tags were changed here; it',
    )
    expect(stderr).not.toContain('has words here')
    expect(talk(await shown(two, '1'))).toContain('user: xylophone')
    const { asked } = await sync(two)
    expect(asked).toHaveLength(1)
    const again = (await two.cortext(['sync'])).stderr
    expect(again).toContain(
      'was deleted on another machine, and may have words here that were never sent. It stays',
    )
    expect((await two.cortext(['doctor'])).stdout).toContain(`the last sync has left ${asked[0]} at `)
  })

  test('as the last thing that was sent, is no earlier state of the place', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    for (const key of ['pears', 'plums']) await say(one, key, `of ${key}`)
    for (const lab of [one, two]) await sync(lab)
    for (const key of ['plums', 'pears'])
      await one.json(['delete', await pathWithKey(one, key), '--yes', '--json'])
    await sync(one)
    const done = await sync(two)
    expect(done.deleted).toHaveLength(2)
    expect(done).not.toHaveProperty('putBack')
    expect(await sync(two)).toMatchObject({ sent: [], taken: [], joined: [] })
  })

  test('makes room for another conversation of its name on the same day, which stays on both', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Pears', 'xylophone')
    await stop()
    await connect(place, one, two)
    await one.json(['delete', path, '--yes', '--json'])
    const again = await spoken(one, 'Pears', 'the second one')
    await again.stop()
    expect(again.path).toBe(path)
    for (const lab of [one, two, one]) await sync(lab)
    for (const lab of [one, two]) {
      expect(talk(await shown(lab, path))).toContain('user: the second one')
      expect(everything(lab)).not.toContain('xylophone')
      // Its history too.
      expect(inHistory(lab, 'log', '--format=%s', 'main', '--', path)).not.toBe('')
    }
    expect(bytesAt(place)).toContain('the second one')
    expect(bytesAt(place)).not.toContain('xylophone')
  })

  test('without a secret in it changes nothing at the place', async () => {
    const { one, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Pears', 'no secret')
    await stop()
    await connect(place, one)
    const before = bytesAt(place)
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    expect(bytesAt(place)).toBe(before)
  })

  test('and imported again is there again, on both', async () => {
    const { one, two, place } = await twoMachines()
    const claude = new ClaudeSession(one)
    await claude.turn('imported words')
    const path = await imported(one, claude)
    await connect(place, one, two)
    await two.json(['delete', path, '--yes', '--json'])
    for (const lab of [two, one]) await sync(lab)
    expect(await imported(one, claude)).toBe(path)
    expect((await sync(one)).sent).toEqual([path])
    expect((await sync(two)).taken).toEqual([path])
    expect(talk(await shown(two, path))).toContain('user: imported words')
  })

  // promise: reach the place and the other machines
  test('a secret that is redacted on one machine is nowhere', async () => {
    const { one, two, place } = await twoMachines()
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const { path, stop } = await spoken(one, 'Keys', `the token is ${secret}`)
    await unredacted(one, async () => {
      await stop()
      await connect(place, one, two)
    })
    expect(everything(two)).toContain(secret)
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    await sync(two)
    expect(bytesAt(place)).not.toContain(secret)
    expect(everything(two)).not.toContain(secret)
    expect(talk(await shown(two, path)).join()).toContain('[REDACTED:')
  })

  test('secrets that two machines have taken out of one document before either knew of the other are nowhere', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const write = (lab: Lab, ...lines: string[]) =>
      writeFileSync(
        join(lab.root, path, 'notes.md'),
        ['ours', ...lines].map((line) => `${line}\n`).join('\n'),
      )
    const [first, second] = ['Ab1xQ9Zk', 'Qw7rT3mN'].map((part) => `ghp_${part.repeat(4)}wZ3q`) as [
      string,
      string,
    ]
    write(one, first)
    await connect(place, one, two)
    write(two, first, second)
    await two.json(['save', path, '--json'])
    write(two, first)
    write(one)
    for (const lab of [two, one]) await lab.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two, one]) await sync(lab)
    const all = { one: everything(one), two: everything(two), place: bytesAt(place) }
    for (const [where, bytes] of Object.entries(all))
      for (const secret of [first, second]) expect(bytes.includes(secret), where).toBe(false)
  })

  test('a secret that was taken out of a document in another work tree, which is as before then, is nowhere', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../second')
    const there = labAt(one, join(one.root, '../second'))
    await say(there, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
    for (const text of ['ours\n', `ours\n${secret}\n`]) {
      writeFileSync(join(there.root, path, 'notes.md'), text)
      for (const lab of [one, two]) await sync(lab)
    }
    expect(everything(two)).toContain(secret)
    writeFileSync(join(there.root, path, 'notes.md'), 'ours\n')
    await one.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two]) await sync(lab)
    const all = { one: everything(one), two: everything(two), place: bytesAt(place) }
    for (const [where, bytes] of Object.entries(all)) expect(bytes.includes(secret), where).toBe(false)
    for (const lab of [there, two])
      expect(readFileSync(join(lab.root, path, 'notes.md'), 'utf8')).toBe('ours\n')
  })

  // promise: Take a secret out of a document before you redact
  test('a secret that was taken out of a document is nowhere, and nobody is said to have changed it too', async () => {
    const { one, two, place } = await twoMachines()
    one.git('worktree', 'add', '--quiet', '../second')
    const there = labAt(one, join(one.root, '../second'))
    await say(one, 'pears', 'words')
    const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
    const path = await pathWithKey(one, 'pears')
    const notes = (lab: Lab) => join(lab.root, path, 'notes.md')
    writeFileSync(notes(one), `ours\n\nthe key is ${secret}\n`)
    await connect(place, one, two)
    await say(there, 'pears', 'words of another work tree')
    await sync(one)
    await sync(two)
    writeFileSync(notes(two), `ours\n\nthe key is ${secret}\n\nmore of two\n`)
    writeFileSync(notes(one), 'ours\n\nno key\n')
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    const { conflicts } = await sync(two)
    await sync(one)
    for (const lab of [one, two, there]) {
      const files = filesBelow(join(lab.root, path))
      expect(files['notes.md']).toContain(conflicts.length === 0 ? 'no key' : 'more of two')
      expect(Object.values(files).join('\n')).not.toContain(secret)
    }
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes.includes(secret)).toBe(false)
  })

  test('a secret of a document is nowhere, also where another machine has redacted it in its history, and has changed the document', async () => {
    const { one, two, place } = await twoMachines()
    const { path, stop } = await spoken(one, 'Quokka', 'xylophone')
    const document = (lab: Lab) => join(lab.root, path, 'plan.md')
    writeFileSync(document(one), `the key is ${SECRET}\n`)
    await stop()
    await connect(place, one, two)
    // Its own history loses the secret, and the document keeps it: it is the person's.
    await two.json(['redact', path, '--apply', '--json'])
    writeFileSync(document(two), `the key is ${SECRET}\nand a line of two\n`)
    writeFileSync(document(one), 'no key any more\n')
    await one.json(['redact', path, '--apply', '--json'])
    for (const lab of [one, two, one, two]) await sync(lab)
    for (const lab of [one, two]) {
      expect(everything(lab)).not.toContain(SECRET)
      expect(readFileSync(document(lab), 'utf8')).not.toContain(SECRET)
    }
    expect(bytesAt(place)).not.toContain(SECRET)
  })

  test('a secret that only another machine has in a document stays in it', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const notes = (lab: Lab) => join(lab.root, path, 'notes.md')
    const [shared, own] = ['Ab1xQ9Zk', 'Cd2yR8Wm'].map((part) => `ghp_${part.repeat(4)}wZ3q`)
    writeFileSync(notes(one), `ours\n\nthe key is ${shared}\n`)
    await connect(place, one, two)
    writeFileSync(notes(two), `my key is ${own}\n\nours\n\nthe key is ${shared}\n`)
    writeFileSync(notes(one), 'ours\n\nno key\n')
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    expect(await sync(two)).toMatchObject({ conflicts: [] })
    expect(readFileSync(notes(two), 'utf8')).toBe(`my key is ${own}\n\nours\n\nno key\n`)
    await sync(one)
    expect(readFileSync(notes(one), 'utf8')).toBe(readFileSync(notes(two), 'utf8'))
  })

  test('and what a killed sync has left of a file, is not in the way of a conversation that comes', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    mkdirSync(join(two.root, path, '.session'), { recursive: true })
    writeFileSync(join(two.root, path, `.session/.messages.jsonl.1f862b26870d74f2${TEMP_SUFFIX}`), '{"id":')
    await connect(place, one)
    const { taken, unknown } = await two.json<Synced>(['sync', '--to', place, '--json'])
    expect({ taken, unknown }).toEqual({ taken: [path], unknown: [] })
    expect(await pathWithKey(two, 'pears')).toBe(path)
  })

  test('is not told any more, and another conversation whose path begins alike is', async () => {
    const { one } = await twoMachines()
    const ws = openWorkspace(one.environment)
    const lines = [
      'a/001-x was deleted',
      'b is in a/001-x/notes.md, too',
      'a/001-x-2 was deleted: delete a/001-x-2.',
    ]
    writeAutoSync(ws.local, { at: '2026-11-30T00:00:00Z', failed: false, tell: lines })
    dropNewsOf(ws, 'a/001-x')
    expect(readAutoSync(ws.local)?.tell).toEqual([lines[2]])
  })

  // promise: Both wait for a sync that is at work
  // A sync has read what it joins. Beside it, the words would be written back, and be at the place unmarked.
  test('waits for a sync that is at work here', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'we take the train')
    await say(one, 'plums', 'on Monday')
    await connect(place, one)
    const { local } = openWorkspace(one.environment)
    for (const args of [
      ['redact', await pathWithKey(one, 'pears'), '--apply'],
      ['delete', await pathWithKey(one, 'plums'), '--yes'],
    ]) {
      let isAtWork = true
      const other = whileNoSync(local, async () => {
        await sleep(3000)
        isAtWork = false
      })
      const { stderr } = await one.cortext(args)
      expect(isAtWork, args.join(' ')).toBe(false)
      await other
      expect(stderr).toContain('Waiting for it to end.')
    }
    expect((await one.cortext(['redact', '001', '--apply'])).stderr).not.toContain('Waiting')
  })

  test('is the one that the person has confirmed, also where a sync has given its folder to another', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'we take the train')
    await connect(place, one)
    const path = await pathWithKey(one, 'pears')
    const { local } = openWorkspace(one.environment)
    for (const args of [
      ['delete', path, '--yes'],
      ['redact', path, '--apply'],
    ]) {
      const other = whileNoSync(local, async () => {
        await sleep(3000)
        const origin = `"origin": "${(args[0] === 'delete' ? 'a' : 'b').repeat(12)}"`
        for (const file of [join(one.root, path, '.session/session.json'), noteOfSession(local, path)])
          writeFileSync(file, readFileSync(file, 'utf8').replace(/"origin": ?"[0-9a-f]{12}"/, origin))
      })
      const { code, stderr } = await one.cortext(args)
      await other
      expect(code, args.join(' ')).toBe(1)
      expect(stderr).toContain('is no longer the conversation that it was: nothing was changed')
    }
    expect(talk(await shown(one, path)).join()).toContain('we take the train')
  })

  test.each(['the talk', 'a document'])(
    'after a kill in the middle of a redaction of %s, is redacted at the place too',
    async (where) => {
      const { one, place } = await twoMachines()
      const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
      if (where === 'the talk') await unredacted(one, () => say(one, 'pears', `the key is ${secret}`))
      else await say(one, 'pears', 'a key is in the document')
      const path = await pathWithKey(one, 'pears')
      if (where === 'a document') writeFileSync(join(one.root, path, 'notes.md'), `the key is ${secret}\n`)
      await connect(place, one)
      expect(bytesAt(place).includes(secret)).toBe(true)
      if (where === 'a document') writeFileSync(join(one.root, path, 'notes.md'), 'the key is gone\n')
      const before = `${dirname(one.root)}-before`
      const [mine, there] = [before, `${before}-place`]
      for (const [from, to] of [
        [dirname(one.root), mine],
        [place, there],
      ] as const)
        execFileSync('cp', ['-a', from, to])
      let kills = 0
      for (let disk = 20, lives = false; !lives; disk += 40) {
        lives = (await killed(one, ['redact', path, '--apply'], { disk })).code === 0
        kills += Number(!lives)
        await one.json(['redact', path, '--apply', '--json'])
        await sync(one)
        expect(bytesAt(place).includes(secret), `killed at step ${disk}`).toBe(false)
        for (const [from, to] of [
          [mine, dirname(one.root)],
          [there, place],
        ] as const) {
          rmSync(to, { recursive: true, force: true })
          execFileSync('cp', ['-a', from, to])
        }
      }
      expect(kills).toBeGreaterThan(3)
    },
  )

  test('while a sync is at work that sends what it leaves, is redacted at the place by the next one', async () => {
    const { one, place } = await twoMachines()
    const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
    await unredacted(one, () => say(one, 'pears', `the key is ${secret}`))
    const path = await pathWithKey(one, 'pears')
    await connect(place, one)
    await one.json(['redact', path, '--apply', '--json'])
    // As if the redaction were not noted yet, but its words were here.
    const note = join(one.root, '.git/cortext/place.json')
    const { redacted, tidies: _, ...before } = JSON.parse(readFileSync(note, 'utf8'))
    writeFileSync(note, JSON.stringify({ ...before, redacted: {} }))
    await sync(one)
    const { origin } = JSON.parse(readFileSync(join(one.root, path, '.session/session.json'), 'utf8'))
    noteRedacted(join(one.root, '.git/cortext'), origin)
    expect((await one.cortext(['list'])).stderr).toContain('Not yet sent')
    expect((await sync(one)).redacted).toEqual([path])
    expect(bytesAt(place).includes(secret)).toBe(false)
    expect((await one.cortext(['list'])).stderr).not.toContain('Not yet sent')
    expect(Object.keys(redacted)).toHaveLength(1)
  })

  // promise: `redact` names the secrets in it.
  // promise: Only where another of your machines has redacted
  test('a document that nobody has changed elsewhere is what the redacting machine has made of it', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'pears', 'words')
    const path = await pathWithKey(one, 'pears')
    const notes = (lab: Lab) => join(lab.root, path, 'notes.md')
    const secret = `ghp_${'Ab1xQ9Zk'.repeat(4)}wZ3q`
    writeFileSync(notes(one), `the key is ${secret}\n`)
    await connect(place, one, two)
    const left = await one.cortext(['redact', path, '--apply'])
    // What it does not change, it names.
    expect(left.stderr).toMatch(/notes\.md: 1 github/)
    expect(left.stderr).toContain('but not what its documents have, before you take it out here')
    await sync(one)
    expect(await sync(two)).toMatchObject({ conflicts: [], sent: [] })
    expect(readFileSync(notes(two), 'utf8')).toBe(readFileSync(notes(one), 'utf8'))
    writeFileSync(notes(one), 'no key\n')
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    expect(await sync(two)).toMatchObject({ conflicts: [], sent: [] })
    expect(filesBelow(join(two.root, path))['notes.md']).toBe('no key\n')
    for (const bytes of [everything(one), everything(two), bytesAt(place)])
      expect(bytes.includes(secret)).toBe(false)
  })
})

/** Imports the session of a client, which no hook has recorded. Returns the path of its conversation. */
async function imported(lab: Lab, { transcript }: ClaudeSession): Promise<string> {
  const { code, stderr } = await lab.cortext(['import', 'claude', '--file', transcript])
  if (code !== 0) throw new Error(stderr)
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  return conversations[0]!.path
}
