import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { filesBelow, type Lab, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const append = (lab: Lab, ...texts: string[]) =>
  lab.json<{ path: string }>(['append', '--key', 'k', '--json'], {
    input: texts.map((content) => `${JSON.stringify({ role: 'user', content })}\n`).join(''),
  })

const remembered = async (lab: Lab) =>
  (await lab.json<{ messages: { content: string }[] }>(['context', '--key', 'k'])).messages.map(
    ({ content }) => content,
  )

/** A shared workspace whose branch `work` has the loop's talk, with the branch `main` checked out, which lacks it. */
async function awayFrom(...texts: string[]): Promise<{ lab: Lab; path: string }> {
  const lab = await workspaceLab({ init: 'shared' })
  lab.git('branch', '-M', 'main')
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  lab.git('checkout', '-qb', 'work')
  const { path } = await append(lab, ...texts)
  await lab.json(['stop', '001', '--json'])
  lab.git('checkout', '-q', 'main')
  return { lab, path }
}

// promise: **Branches**: a loop does not lose its memory to git.
// promise: what is missing is read from this machine's copy
test('S3-C1 S3-P1 a loop keeps its memory on a branch that has no record of it, also after the other branch is deleted', async () => {
  const { lab, path } = await awayFrom('the sparrow lands', 'and the wren')
  lab.git('branch', '-qD', 'work')
  const before = filesBelow(join(lab.root, 'conversations'))
  expect(await remembered(lab)).toEqual(['the sparrow lands', 'and the wren'])
  expect(talk(await shown(lab, '001'))).toHaveLength(2)
  expect((await lab.cortext(['show', '001'])).stdout).toContain('Messages: 2')
  expect((await lab.cortext(['search', 'sparrow'])).stdout).toContain('sparrow')
  expect(filesBelow(join(lab.root, 'conversations'))).toEqual(before)

  expect(await append(lab, 'then the finch')).toMatchObject({ path })
  expect(await remembered(lab)).toEqual(['the sparrow lands', 'and the wren', 'then the finch'])
  expect(recordLines(lab, path)).toHaveLength(3)
})

// promise: **Branches**: a loop does not
// promise: what is missing is read
test('S3-C1 an older version of the record, which git has put into the work tree, loses nothing: the next append adds what it lacks', async () => {
  const { lab, path } = await awayFrom('one')
  lab.git('merge', '-q', 'work')
  lab.git('checkout', '-q', 'work')
  await append(lab, 'two, the wren')
  await lab.json(['stop', '001', '--json'])
  lab.git('checkout', '-q', 'main')
  expect(recordLines(lab, path)).toHaveLength(1)

  expect(await remembered(lab)).toEqual(['one', 'two, the wren'])
  expect((await lab.cortext(['search', 'wren'])).stdout).toContain('wren')
  await append(lab, 'three')
  expect(recordLines(lab, path)).toHaveLength(3)
  expect(await remembered(lab)).toEqual(['one', 'two, the wren', 'three'])
  await lab.json(['stop', '001', '--json'])
  expect(lab.tryGit('merge', '-q', '--no-edit', 'work')).toBe(true)
  await append(lab, 'four')
  lab.git('reset', '-q', '--hard')
  lab.git('clean', '-fdq')
  expect(await remembered(lab)).toEqual(['one', 'two, the wren', 'three', 'four'])
})

test('what was pruned, restored, redacted or deleted does not come back by the copy of a record', async () => {
  const { lab, path } = await awayFrom('one', 'two', 'three')
  lab.git('checkout', '-q', 'work')
  await lab.json(['prune', '001', '--keep', '1', '--yes', '--json'])
  await lab.json(['save', '001', '--json', '--commit'])
  lab.git('checkout', '-q', 'main')
  const away = talk(await shown(lab, '001'))
  expect(away.filter((text) => /one|two/.test(text))).toEqual([])
  await append(lab, 'four')
  expect(await lab.json(['prune', '001', '--restore', '--yes', '--json'])).toMatchObject({
    restored: { lines: 2 },
  })
  expect(talk(await shown(lab, '001'))).toHaveLength(4)

  const file = join(lab.root, path, '.session/messages.jsonl')
  // A secret that an earlier version did not know is in the record and in its copy.
  const token = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_')
  writeFileSync(file, readFileSync(file, 'utf8').replace('four', `four ${token}`))
  await lab.json(['redact', '001', '--apply', '--json'])
  await append(lab, 'five')
  const ours = JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))
  expect(ours).not.toContain(token)
  expect(JSON.stringify(recordLines(lab, path))).not.toContain(token)

  await lab.json(['delete', '001', '--yes', '--json'])
  expect(await remembered(lab)).toEqual([])
  expect(JSON.stringify(filesBelow(join(lab.root, '.git/cortext')))).not.toContain('three')
})

test('what was pruned does not come back when its archive is gone and the record has other bytes than its copy', async () => {
  const { lab, path } = await awayFrom('one', 'two', 'three')
  lab.git('checkout', '-q', 'work')
  await lab.json(['prune', '001', '--keep', '1', '--yes', '--json'])
  const folder = join(lab.root, path, '.session')
  rmSync(join(folder, 'archive'), { recursive: true })
  // Another program writes the record anew, with a line break more.
  const file = join(folder, 'messages.jsonl')
  const text = `${readFileSync(file, 'utf8')}\n`
  rmSync(file)
  writeFileSync(file, text)
  expect(talk(await shown(lab, '001')).filter((said) => /one|two/.test(said))).toEqual([])
  await append(lab, 'four')
  expect((await remembered(lab)).slice(1)).toEqual(['three', 'four'])
})

test('a fork keeps its beginning on a branch without its record, while it goes on there in a client too', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  lab.git('branch', '-M', 'main')
  lab.git('add', '-A')
  lab.git('commit', '-qm', 'set up')
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', 'Nests')
  await claude.turn('of wrens')
  await lab.json(['stop', '--json'], { env: claude.env })
  lab.git('checkout', '-qb', 'work')
  await lab.json(['fork', '001', '--json'])
  await lab.json(['save', '002', '--json', '--commit'])
  const before = talk(await shown(lab, '002'))
  expect(before.length).toBeGreaterThan(0)
  lab.git('checkout', '-q', 'main')
  rmSync(join(lab.root, 'conversations'), { recursive: true, force: true })
  lab.git('checkout', '-q', '.')
  expect(talk(await shown(lab, '002'))).toEqual(before)
})
