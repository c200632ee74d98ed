import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { treeOf, twoPeople } from '../helpers/two-people.ts'
import { type Lab, shown, talk } from '../helpers/workspace-lab.ts'

interface Listed {
  id: string
  path: string
  title: string
  message_count: number
}

const list = async (lab: Lab) =>
  (await lab.json<{ conversations: Listed[] }>(['list', '--all', '--json'])).conversations

/** A new session goes on with a conversation: what the person is told, and then one turn. */
async function goOn(lab: Lab, id: string, prompt: string): Promise<string> {
  const claude = new ClaudeSession(lab)
  const ran = await claude.command('workspace.resume', id, () =>
    lab.cortext(['agent', 'resume', id], { env: claude.env }),
  )
  await claude.turn(prompt)
  await lab.json(['stop', id, '--json'])
  return `${ran!.stdout}${ran!.stderr}`
}

async function begin(lab: Lab, prompt: string): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API design')
  await claude.turn(prompt)
  await lab.json(['stop', '001', '--json'])
}

/** A verb that changes something does what a merge has left. */
async function settle(lab: Lab): Promise<void> {
  await lab.json(['save', '001-brainstorm-api-design', '--json'])
}

// promise: each message of a person names who typed it.
test('a day of two people: begin under one name, go on with each other’s, rename, prune, merge, rebase; both have the same in the end', async () => {
  const { ann, bob } = await twoPeople()

  // In the morning both begin, and neither has pulled.
  await begin(ann, 'said by ann')
  await begin(bob, 'said by bob')
  ann.git('push', '--quiet')
  bob.git('pull', '--quiet', '--no-edit')
  expect((await bob.cortext(['list'])).stderr).toContain('1 that shares a folder with another conversation')
  await settle(bob)
  const [one, other] = (await list(bob)).sort((a, b) => a.id.length - b.id.length)
  expect(one!.id).toBe('001-brainstorm-api-design')
  expect(talk(await shown(bob, one!.id))).toContain('user: said by ann')
  expect(talk(await shown(bob, other!.id))).toContain('user: said by bob')
  for (const { message_count } of [one!, other!]) expect(message_count).toBe(4)
  bob.git('push', '--quiet')
  ann.git('pull', '--quiet', '--no-edit')
  expect((await list(ann)).map(({ id }) => id).sort()).toEqual([one!.id, other!.id].sort())

  // At noon each goes on with the other's, Ann goes on with hers too and prunes it, and Bob renames his.
  expect(await goOn(ann, other!.id, 'ann to bob')).toContain('begun and last said by Bob; now with Ann')
  await goOn(ann, one!.id, 'ann again')
  await ann.json(['prune', one!.id, '--keep', '1', '--yes', '--json'])
  await ann.json(['save', one!.id, '--commit', '--json'])
  expect(await goOn(bob, one!.id, 'bob to ann')).toContain('begun and last said by Ann; now with Bob')
  await bob.json(['edit', other!.id, '--title', 'Fields', '--json'])
  await bob.json(['save', other!.id, '--commit', '--json'])
  ann.git('push', '--quiet')
  bob.git('pull', '--quiet', '--no-edit')
  await settle(bob)
  expect((await list(bob)).find(({ id }) => id === other!.id)).toMatchObject({
    title: 'Fields',
    message_count: 6,
  })

  // In the evening Ann rebases what she said meanwhile.
  await goOn(ann, other!.id, 'ann in the evening')
  bob.git('push', '--quiet')
  ann.git('pull', '--quiet', '--rebase')
  await settle(ann)
  ann.git('push', '--quiet')
  bob.git('pull', '--quiet', '--no-edit')
  await settle(bob)

  expect(treeOf(ann)).toBe(treeOf(bob))
  for (const lab of [ann, bob]) expect(lab.git('status', '--porcelain')).toBe('')
  const authors = (await shown(ann, other!.id))
    .filter(({ role }) => role === 'user')
    .map((message) => Reflect.get(message, 'author'))
  expect(authors).toEqual(['Bob', 'Bob', 'Ann', 'Ann'])
  expect(await shown(bob, other!.id)).toEqual(await shown(ann, other!.id))
  const { stdout } = await bob.cortext(['show', other!.id, '--messages'])
  expect(stdout).toContain('Whose: begun by Bob; last said by Ann')
  expect(stdout).toMatch(/^── \d+ · user \(Ann\) · /m)
  expect((await bob.cortext(['export', other!.id])).stdout).toContain('## User Ann (')
  for (const words of ['said by ann', 'ann again', 'bob to ann'])
    expect((await bob.cortext(['search', words, '--json'])).stdout).toContain(one!.id)
}, 180_000)
