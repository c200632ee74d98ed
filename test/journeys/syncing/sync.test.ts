import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Synced } from '../../../src/journeys/syncing/synced.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { everything, inHistory, spoken } from '../../helpers/history-lab.ts'
import { bytesAt, labAt, openMachines, say } from '../../helpers/machines.ts'
import { BIN, filesBelow, type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

/** Two machines that both have named the place. */
async function twoMachines(): Promise<{ one: Lab; two: Lab; place: string }> {
  const { machines, place, remove } = await openMachines(2)
  onTestFinished(remove)
  const [one, two] = machines as [Lab, Lab]
  return { one, two, place }
}

const connect = async (place: string, ...labs: Lab[]) => {
  for (const lab of labs) await lab.json(['sync', '--to', place, '--json'])
}

type Lists = Omit<Synced, 'place'>

const sync = (lab: Lab) => lab.json<Lists>(['sync', '--json'])

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
    const { keys } = await one.json<Lists>(['sync', '--json'])
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
    expect(await one.json<Lists>(['sync', '--json'])).toMatchObject({ keys: [] })
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

/** Imports the session of a client, which no hook has recorded. Returns the path of its conversation. */
async function imported(lab: Lab, { transcript }: ClaudeSession): Promise<string> {
  const { code, stderr } = await lab.cortext(['import', 'claude', '--file', transcript])
  if (code !== 0) throw new Error(stderr)
  const { conversations } = await lab.json<{ conversations: { path: string }[] }>(['list', '--all', '--json'])
  return conversations[0]!.path
}

describe('worktrees', () => {
  test('an earlier version in one of them takes no word from what another has saved, here or at the place', async () => {
    const { one, two, place } = await twoMachines()
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await say(one, 'loop', 'in the main one')
    await say(there, 'loop', 'in the worktree')
    await say(one, 'loop', 'in the main one again')
    const { path } = (await one.json<{ conversations: [{ path: string }] }>(['list', '--all', '--json']))
      .conversations[0]
    await connect(place, there, two)
    expect(talk(await shown(two, path))).toContain('user: in the main one again')
    await say(two, 'loop', 'on the other machine')
    for (const lab of [two, there, one, two, there]) await sync(lab)
    await say(there, 'loop', 'in the worktree at last')
    for (const lab of [there, two, one]) await sync(lab)
    const words = [
      'in the main one',
      'in the worktree',
      'in the main one again',
      'on the other machine',
      'in the worktree at last',
    ]
    for (const lab of [one, there, two]) {
      const said = talk(await shown(lab, path)).filter((line) => line.startsWith('user: '))
      expect(said.toSorted()).toEqual(words.map((word) => `user: ${word}`).toSorted())
    }
    expect(bytesAt(place).match(/"on the other machine"/g)!.length).toBeGreaterThan(0)
  })

  test('turns of a loop in one go along with a sync in another', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await say(there, 'loop', 'in the worktree')
    for (const lab of [one, two]) await sync(lab)
    const { conversations } = await two.json<{ conversations: { path: string }[] }>(['list', '--json'])
    expect(talk(await shown(two, conversations[0]!.path))).toContain('user: in the worktree')
  })

  test('one without a setting does not remove it', async () => {
    const { one, two, place } = await twoMachines()
    mkdirSync(join(one.root, '.workspace/memory'), { recursive: true })
    writeFileSync(join(one.root, '.workspace/memory/team.md'), 'ours\n')
    await connect(place, one, two)
    one.git('worktree', 'add', '--quiet', '../project-worktree')
    const there = labAt(one, join(one.root, '../project-worktree'))
    await there.cortext(['list'])
    rmSync(join(there.root, '.workspace/memory'), { recursive: true, force: true })
    for (const lab of [there, two, one]) await sync(lab)
    for (const lab of [one, two]) expect(existsSync(join(lab.root, '.workspace/memory/team.md'))).toBe(true)
  })
})

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
    await two.json(['delete', path, '--yes', '--json'])
    expect(await sync(two)).toMatchObject({ asked: [] })
  })

  // promise: or has renamed it
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
    expect((await two.cortext(['doctor'])).stdout).toContain(`the last sync has left ${asked[0]} at `)
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
    const config = join(one.root, '.workspace/config.json')
    const before = readFileSync(config, 'utf8')
    writeFileSync(config, JSON.stringify({ ...JSON.parse(before), redact: false }))
    const { path, stop } = await spoken(one, 'Keys', `the token is ${secret}`)
    await stop()
    await connect(place, one, two)
    expect(everything(two)).toContain(secret)
    writeFileSync(config, before)
    await one.json(['redact', path, '--apply', '--json'])
    await sync(one)
    await sync(two)
    expect(bytesAt(place)).not.toContain(secret)
    expect(everything(two)).not.toContain(secret)
    expect(talk(await shown(two, path)).join()).toContain('[REDACTED:')
  })
})

describe('the place', () => {
  test('is not in the project, where git would see it; a new repository and a place that is left are told', async () => {
    const { one, place } = await twoMachines()
    for (const address of ['gti@forge', './conversations', one.root]) {
      const { code, stderr } = await one.cortext(['sync', '--to', address])
      expect({ code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('is in this project'),
      })
    }
    expect(one.git('status', '--porcelain')).toBe('')
    expect((await one.cortext(['sync', '--to', place])).stdout).toContain('a new one was made')
    const { stdout } = await one.cortext(['sync', '--to', `${place}-2.git`])
    expect(stdout).toContain(`No longer to ${place}. What is there stays.`)
    expect((await one.cortext(['sync', '--to', `${place}-2.git`])).stdout).not.toMatch(/new one|No longer/)
  })

  test('that has taken something out says so, and a deletion says that the place still has it', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'pears', 'words')
    await connect(place, one)
    const { stderr } = await one.cortext(['delete', '1', '--yes'])
    expect(stderr).toContain(
      `What was sent of it to ${place} and your other machines goes there with the next sync`,
    )
    expect((await one.cortext(['sync'])).stdout).toContain('1 conversation taken out of the place')
    expect((await one.cortext(['sync'])).stdout).toContain('Up to date.')
  })

  // promise: An address with a password in it is refused.
  // promise: A password in its address is refused
  test('is refused with a password in its address, or by a program; neither is stored', async () => {
    const lab = await workspaceLab({ init: 'private' })
    for (const address of [
      'https://me:hunter2@forge.example/x.git',
      'https://token@forge.example/x.git',
      'ext::sh -c true',
      '--upload-pack=touch x',
      '',
    ]) {
      const { code, stderr, stdout } = await lab.cortext(['sync', '--to', address])
      expect(code, address).toBe(2)
      expect(stderr + stdout).not.toMatch(/hunter2|token@/)
    }
    expect(JSON.stringify(filesBelow(join(lab.root, '.git')))).not.toContain('hunter2')
  })

  test('in a shared workspace is the project’s own remote', async () => {
    const lab = await workspaceLab()
    const { code, stderr } = await lab.cortext(['sync', '--to', join(lab.home, 'place')])
    expect(code).toBe(1)
    expect(stderr).toContain('git push')
  })

  // promise: Nothing is sent before you have named it
  test('without one, says how to name it, and files of a clone name none', async () => {
    const lab = await workspaceLab({ init: 'private' })
    const place = { address: join(lab.home, 'place'), branch: 'x', toDelete: [], deleted: [], toRedact: [] }
    for (const folder of ['.workspace', '.workspace/local'])
      mkdirSync(join(lab.root, folder), { recursive: true })
    for (const file of ['.workspace/place.json', '.workspace/local/place.json'])
      writeFileSync(join(lab.root, file), JSON.stringify(place))
    const { code, stderr } = await lab.cortext(['sync'])
    expect(code).toBe(1)
    expect(existsSync(place.address)).toBe(false)
    expect(stderr).toContain('cortext sync --to')
  })

  // promise: takes all your projects, each in a branch
  // promise: A project is recognised by the addresses
  // promise: If only the first commit is the same
  test('holds several projects; a fork is not taken for its origin without asking', async () => {
    const { one, two, place } = await twoMachines()
    const other = await workspaceLab({ init: 'private' })
    other.git('commit', '--quiet', '--allow-empty', '--message=another project')
    other.git('remote', 'add', 'origin', 'https://forge.example/me/other')
    await (await spoken(one, 'API', 'of one')).stop()
    await connect(place, one)
    two.git('remote', 'set-url', 'origin', 'https://forge.example/you/thing')
    const { code, stderr } = await two.cortext(['sync', '--to', place])
    expect(code).toBe(1)
    const [command] = /cortext sync --to \S+ --branch [\w-]+/.exec(stderr) ?? []
    expect(command).toBeDefined()
    const answer = await two.json<Lists>([...command!.split(' ').slice(1), '--json'])
    expect(answer.taken).toHaveLength(1)
  })

  test('does not take projects for one because of a remote that is a path', async () => {
    const { one, two, place } = await twoMachines()
    for (const lab of [one, two]) lab.git('remote', 'set-url', 'origin', '../origin.git')
    two.git('commit', '--quiet', '--amend', '--allow-empty', '--message', 'another beginning')
    await say(one, 'loop', 'of one')
    await connect(place, one, two)
    expect((await two.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations).toEqual(
      [],
    )
  })

  test('does not take a folder without git for another one of its name without asking', async () => {
    const [one, two] = await Promise.all([0, 1].map(() => workspaceLab({ git: 'none', init: 'private' })))
    const place = join(one!.home, 'place')
    await say(one!, 'loop', 'of one')
    await connect(place, one!)
    const { code, stderr } = await two!.cortext(['sync', '--to', place])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('--branch') })
    await two!.json(['sync', '--to', place, '--branch', 'project-0-0', '--json'])
    expect(talk(await shown(two!, '1'))).toContain('user: of one')
    await connect(place, two!)
  })

  // promise: git checks its objects
  test('whose objects are not as git makes them is refused, and nothing of it is taken', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one, two)
    const git = (args: string[], input = '') =>
      execFileSync('git', ['--git-dir', place, ...args], { env: one.env, input, encoding: 'utf8' }).trim()
    const branch = git(['for-each-ref', '--format=%(refname)'])
    const tree = git(
      ['mktree'],
      `${git(['ls-tree', branch])}\n040000 tree ${git(['rev-parse', `${branch}^{tree}`])}\t.git\n`,
    )
    git(['update-ref', branch, git(['commit-tree', tree, '-p', branch, '-m', 'x'])])
    const { code, stderr } = await two.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('hasDotgit') })
    expect(
      (await two.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
    ).toHaveLength(1)
  })

  // promise: What comes from that place is taken as from a clone
  test('runs nothing on this machine', async () => {
    const { one, place } = await twoMachines()
    execFileSync('git', ['init', '--quiet', '--bare', place])
    const sprung = join(one.home, 'sprung')
    mkdirSync(join(place, 'hooks'), { recursive: true })
    for (const hook of [
      'pre-receive',
      'update',
      'post-receive',
      'post-update',
      'reference-transaction',
      'proc-receive',
    ]) {
      writeFileSync(join(place, 'hooks', hook), `#!/bin/sh\ntouch '${sprung}'\n`)
      chmodSync(join(place, 'hooks', hook), 0o755)
    }
    const config = `[core]\n\tfsmonitor = touch ${sprung}\n\talternateRefsCommand = touch ${sprung}\n\tsshCommand = touch ${sprung}\n[uploadpack]\n\tpackObjectsHook = touch ${sprung}\n[receive]\n\tprocReceiveRefs = refs/heads\n`
    writeFileSync(join(place, 'config'), readFileSync(join(place, 'config'), 'utf8') + config)
    await say(one, 'loop', 'words')
    await one.cortext(['sync', '--to', place])
    await say(one, 'loop', 'more')
    await one.cortext(['sync'])
    expect(existsSync(sprung)).toBe(false)
  })

  // promise: `cortext sync --stop` forgets the place
  test('--stop forgets it, and what is there stays', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    const { stdout } = await one.cortext(['sync', '--stop'])
    expect(stdout).toContain('What is there stays.')
    expect((await one.cortext(['sync'])).code).toBe(1)
    expect(bytesAt(place)).toContain('words')
    expect(inHistory(one, 'for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main')
  })

  // promise: What is being talked about goes at the next sync
  test('what is talked about goes after its stop', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    const { stop } = await spoken(one, 'API', 'saved words')
    const claude = new ClaudeSession(one)
    await claude.command('workspace.plan', 'Later')
    await claude.turn('not saved yet')
    expect((await sync(one)).sent).toHaveLength(1)
    expect(bytesAt(place)).not.toContain('not saved yet')
    await one.json(['stop', '--json'], { env: claude.env })
    await stop()
    await sync(one)
    expect((await sync(two)).taken).toHaveLength(2)
    expect(everything(two)).toContain('not saved yet')
  })

  // promise: A setting that both have changed stays
  test('a setting that both have changed stays as it is where the sync comes last, and it says so', async () => {
    const { one, two, place } = await twoMachines()
    await connect(place, one, two)
    for (const [lab, text] of [
      [one, 'of one\n'],
      [two, 'of two\n'],
    ] as const) {
      mkdirSync(join(lab.root, '.workspace/memory'), { recursive: true })
      writeFileSync(join(lab.root, '.workspace/memory/team.md'), text)
    }
    await sync(one)
    const { stderr } = await two.cortext(['sync'])
    expect(stderr).toContain('.workspace/memory/team.md was changed on both machines.')
    await sync(one)
    for (const lab of [one, two])
      expect(readFileSync(join(lab.root, '.workspace/memory/team.md'), 'utf8')).toBe('of two\n')
  })

  // promise: makes the repository in it
  // promise: Two syncs at the same moment
  test('a folder becomes a repository, and two machines may sync at the same moment', async () => {
    const { one, two, place } = await twoMachines()
    mkdirSync(place)
    await connect(place, one, two)
    await Promise.all([say(one, 'of-one', 'first'), say(two, 'of-two', 'second')])
    const both = await Promise.all([one, two, one, two].map((lab) => lab.cortext(['sync'])))
    expect(both.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(['0 ', '0 ', '0 ', '0 '])
    await sync(one)
    await sync(two)
    for (const lab of [one, two])
      expect(
        (await lab.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
      ).toHaveLength(2)
  })

  // promise: Sync asks for none
  test('is reached by ssh as GIT_SSH_COMMAND says', async () => {
    const { one, two, place } = await twoMachines()
    execFileSync('git', ['init', '--quiet', '--bare', place])
    const ssh = join(one.home, 'fake-ssh')
    // The last word is what the far side runs.
    writeFileSync(ssh, '#!/bin/sh\n[ "$1" = -G ] && exit 1\nfor last; do :; done\nexec sh -c "$last"\n')
    chmodSync(ssh, 0o755)
    const env = { GIT_SSH_COMMAND: ssh }
    await say(one, 'loop', 'by ssh')
    await one.json(['sync', '--to', `me@host.example:${place}`, '--json'], { env })
    await two.json(['sync', '--to', `ssh://host.example${place}`, '--json'], { env })
    expect(everything(two)).toContain('by ssh')
  })

  // promise: `list`, the picker, `doctor` and a stop in a terminal say
  test('that lacks what was saved since is named by list and by a stop, with the command', async () => {
    const { one, place } = await twoMachines()
    await connect(place, one)
    const unsent = /Not yet sent to your other machines \(last sync just now\): cortext sync/
    expect((await one.cortext(['list'])).stderr).not.toMatch(unsent)
    await spoken(one, 'API', 'words')
    expect((await one.cortext(['list'])).stderr).toMatch(unsent)
    expect((await one.cortext(['stop', '1'])).stderr).toMatch(unsent)
    await sync(one)
    expect((await one.cortext(['list'])).stderr).not.toMatch(unsent)
  })

  // promise: What is merely missing at the place
  test('that was put back to an earlier state, or emptied, takes nothing away', async () => {
    const { one, two, place } = await twoMachines()
    await say(one, 'early', 'said first')
    await connect(place, one, two)
    const git = (...args: string[]) =>
      execFileSync('git', ['--git-dir', place, ...args], { encoding: 'utf8' }).trim()
    const branch = git('for-each-ref', '--format=%(refname)')
    const early = git('rev-parse', branch)
    await say(one, 'late', 'said later')
    await say(one, 'early', 'said last')
    for (const lab of [one, two]) await sync(lab)
    for (const before of [() => git('update-ref', branch, early), () => git('update-ref', '-d', branch)]) {
      before()
      for (const lab of [two, one]) await sync(lab)
      for (const lab of [one, two])
        expect(
          (await lab.json<{ conversations: unknown[] }>(['list', '--all', '--json'])).conversations,
        ).toHaveLength(2)
      expect(git('ls-tree', '-r', '--name-only', branch)).toContain('002-chat-late')
      for (const lab of [one, two])
        expect(talk(await shown(lab, '1')).filter((line) => line.startsWith('user: '))).toEqual([
          'user: said first',
          'user: said last',
        ])
    }
  })

  test('gets what was removed from the settings removed everywhere', async () => {
    const { one, two, place } = await twoMachines()
    const memory = (lab: Lab) => join(lab.root, '.workspace/memory/team.md')
    mkdirSync(join(memory(one), '..'), { recursive: true })
    writeFileSync(memory(one), 'ours\n')
    await connect(place, one, two)
    expect(readFileSync(memory(two), 'utf8')).toBe('ours\n')
    rmSync(memory(two))
    for (const lab of [two, one, two]) await sync(lab)
    expect([existsSync(memory(one)), existsSync(memory(two))]).toEqual([false, false])
  })

  test('with nothing new, is only asked for its branches', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    const before = filesBelow(join(one.root, '.git/cortext/conversations.git'))
    expect(await sync(one)).toMatchObject({ sent: [], taken: [], joined: [] })
    expect(filesBelow(join(one.root, '.git/cortext/conversations.git'))).toEqual(before)
  })

  test('is named with what git says if it cannot be reached, and nothing is lost', async () => {
    const { one, place } = await twoMachines()
    await say(one, 'loop', 'words')
    await connect(place, one)
    renameSync(place, `${place}-away`)
    const { code, stderr } = await one.cortext(['sync'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(place) })
    await say(one, 'loop', 'more')
    renameSync(`${place}-away`, place)
    expect((await sync(one)).sent).toHaveLength(1)
    expect(bytesAt(place)).toContain('more')
  })

  // promise: A clone of a branch is a workspace
  test('a branch can be cloned, and is a workspace', async () => {
    const { one, place } = await twoMachines()
    const { stop } = await spoken(one, 'API', 'words to find')
    await stop()
    await connect(place, one)
    const [branch] = execFileSync('git', ['--git-dir', place, 'for-each-ref', '--format=%(refname:short)'], {
      encoding: 'utf8',
    }).split('\n')
    const clone = join(one.home, 'clone')
    one.git('clone', '--quiet', '--branch', branch!, place, clone)
    expect((await one.cortext(['list'], { cwd: clone })).stdout).toContain('API')
    expect((await one.cortext(['search', 'words to find'], { cwd: clone })).stdout).toContain('words to find')
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

// promise: Of two titles one is chosen, and sync says how to take the other.
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
  for (const lab of [two, one]) expect((await lab.cortext(['sync'])).stderr).not.toContain('renamed')
  for (const lab of [one, two]) expect(await titleOn(lab)).toBe(other)
})
