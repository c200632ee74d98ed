import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { appendTurn } from '../../../src/journeys/agent-loop/append-turn.ts'
import { SessionFile } from '../../../src/session/schema.ts'
import { updateBinding } from '../../../src/store/machine/binding.ts'
import { segmentsOf } from '../../../src/store/machine/list-bindings.ts'
import { writeMetadataBackup } from '../../../src/store/machine/metadata-backup.ts'
import { ANN, BOB, type Branches, branches, PATH } from './branches.ts'

const APART = `${PATH}-${BOB!.slice(0, 8)}`

/** Ann and Bob have begun under one name, each on a branch of their own, with a document each. */
function twoOfOneName(options?: Parameters<typeof branches>[0], more: object = {}): Branches {
  const world = branches(options)
  for (const who of [ANN!, BOB!]) {
    world.git('checkout', '--quiet', '-b', who, 'trunk')
    world.write(`${PATH}/brainstorm.md`, `document of ${who}\n`)
    world.say(who, [`${who} 1`, `${who} 2`], { context_summary: `summary of ${who}`, ...more })
  }
  return world
}

function expectApart(world: Branches, more: readonly string[] = []): void {
  for (const [path, who, said] of [
    [PATH, ANN!, []],
    [APART, BOB!, more],
  ] as const) {
    expect(world.said(path)).toEqual([`${who} 1`, `${who} 2`, ...said])
    expect(readFileSync(join(world.root, path, 'brainstorm.md'), 'utf8')).toBe(`document of ${who}\n`)
    const session = world.session(path)
    expect(session).toMatchObject({
      origin: who,
      message_count: 2 + said.length,
      context_summary: `summary of ${who}`,
    })
    expect(session.conversation_id).toBe(path.split('/').at(-1))
    expect(session).not.toHaveProperty('merged')
  }
}

describe('two conversations that began under one name', () => {
  const ways: [string, string[][]][] = [
    ['a merge', [['merge', BOB!]]],
    ['a merge that prefers one side', [['merge', '-X', 'theirs', BOB!]]],
    ['a merge that prefers the other side', [['merge', '-X', 'ours', BOB!]]],
    ['a squash', [['merge', '--squash', BOB!]]],
    ['a cherry-pick', [['cherry-pick', BOB!]]],
    ['a rebase', [['rebase', BOB!]]],
  ]
  // promise: Two that begin one under the same name on the same day have two after it.
  test.each(ways)('are told apart after %s: both whole, each in its own folder', async (_, steps) => {
    const world = twoOfOneName()
    world.git('checkout', '--quiet', ANN!)
    for (const step of steps) world.tryGit(...step)
    const { apart } = await world.settle()
    expect(apart).toMatchObject([{ path: PATH, others: [APART] }])
    expectApart(world)
    expect(world.git('ls-files', '--unmerged', '--', PATH, APART)).toBe('')
    expect((await world.settle()).apart).toEqual([])
  })

  test.each(ways)('are told apart after %s in a clone without our driver', async (_, steps) => {
    const world = twoOfOneName()
    world.git('config', '--remove-section', 'merge.cortext')
    world.git('checkout', '--quiet', ANN!)
    for (const step of steps) world.tryGit(...step)
    await world.settle()
    expectApart(world)
  })

  test('are told apart before a turn of an agent loop is written, which goes into the older one', async () => {
    const world = twoOfOneName({}, { key: 'discord:1' })
    world.git('checkout', '--quiet', ANN!)
    world.tryGit('merge', BOB!)
    const messages = [{ role: 'user', content: 'next', timestamp: '2026-11-22T12:00:00Z' }]
    const turn = { key: 'discord:1', messages, nameOf: String }
    expect(await appendTurn(world.ws, turn)).toMatchObject({ path: PATH, created: false, messages: 1 })
    expect(world.said(PATH)).toEqual([`${ANN} 1`, `${ANN} 2`, 'next'])
    expect(world.said(APART)).toEqual([`${BOB} 1`, `${BOB} 2`])
  })

  test('lose no words that a person has typed since into a document with a conflict', async () => {
    const world = twoOfOneName()
    world.git('checkout', '--quiet', ANN!)
    world.tryGit('merge', BOB!)
    const file = join(world.root, PATH, 'brainstorm.md')
    const words = 'typed while the conflict was open'
    writeFileSync(
      file,
      `<<<<<<< HEAD\ndocument of ${ANN}\n${words}\n=======\ndocument of ${BOB}\n>>>>>>> x\n`,
    )
    await world.settle()
    const texts = readdirSync(join(world.root, PATH))
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(world.root, PATH, name), 'utf8'))
    expect(texts.join()).toContain(words)
    expect(readFileSync(file, 'utf8')).toBe(`document of ${ANN}\n`)
  })

  test('give both clones the same tree, whichever of them merges', async () => {
    const world = twoOfOneName()
    const trees: string[] = []
    for (const [mine, other] of [
      [ANN!, BOB!],
      [BOB!, ANN!],
    ]) {
      world.git('checkout', '--quiet', '--detach', mine!)
      world.tryGit('merge', other!)
      await world.settle()
      world.git('commit', '--quiet', '--no-edit')
      trees.push(world.git('rev-parse', 'HEAD^{tree}'))
    }
    expect(trees[0]).toBe(trees[1])
  })

  test('continue in their own folders, even if one was still written in the old folder', async () => {
    const world = twoOfOneName()
    world.git('checkout', '--quiet', ANN!)
    world.tryGit('merge', BOB!)
    await world.settle()
    world.git('commit', '--quiet', '--no-edit')
    world.git('checkout', '--quiet', BOB!)
    world.say(BOB!, ['bob goes on'])
    world.tryGit('merge', ANN!)
    await world.settle()
    expectApart(world, ['bob goes on'])
  })

  test('keep their local state when they move, and nothing is published into the other', async () => {
    const world = twoOfOneName()
    const { local } = world.ws
    const session = SessionFile.parse(world.session(PATH))
    writeMetadataBackup(local, PATH, session, local)
    const segment = {
      conversation: PATH,
      journal: 'n.jsonl',
      from: 0,
      how: 'start' as const,
      started_at: 'x',
    }
    updateBinding(local, 'claude', 'n', () => ({
      client: 'claude',
      native_id: 'n',
      transcript: '',
      root: world.root,
      segments: [segment],
    }))
    await world.settle()
    world.git('checkout', '--quiet', ANN!)
    await world.settle()
    expect(segmentsOf(local, PATH)).toEqual([])
    expect(segmentsOf(local, APART)).toHaveLength(1)
    world.git('checkout', '--quiet', BOB!)
    await world.settle()
    expect(segmentsOf(local, PATH)).toHaveLength(1)
  })

  test('keep a document that a person has merged by hand, and both versions are there', async () => {
    const world = twoOfOneName()
    world.git('checkout', '--quiet', ANN!)
    world.tryGit('merge', BOB!)
    writeFileSync(join(world.root, PATH, 'brainstorm.md'), 'by hand\n')
    world.git('add', '--all')
    world.git('commit', '--quiet', '--no-edit')
    await world.settle()
    expect(readFileSync(join(world.root, PATH, 'brainstorm.md'), 'utf8')).toBe('by hand\n')
    expect(readFileSync(join(world.root, APART, 'brainstorm.md'), 'utf8')).toBe(`document of ${BOB}\n`)
  })
})

test('conversations without origins, from older versions, stay one conversation', async () => {
  const world = branches()
  await world.settle()
  for (const who of [ANN!, BOB!]) {
    world.git('checkout', '--quiet', '-b', who, 'trunk')
    world.say(who, [`${who} 1`], { origin: undefined })
    const file = join(world.root, PATH, '.session/messages.jsonl')
    writeFileSync(file, readFileSync(file, 'utf8').replace(/,"origin":"\w+"/g, ''))
    world.git('commit', '--quiet', '--all', '--amend', '--no-edit')
  }
  world.git('merge', '--quiet', ANN!)
  expect((await world.settle()).apart).toEqual([])
  expect(world.said(PATH)).toEqual([`${ANN} 1`, `${BOB} 1`])
  expect(existsSync(join(world.root, APART))).toBe(false)
  expect(world.session(PATH).message_count).toBe(2)
})
