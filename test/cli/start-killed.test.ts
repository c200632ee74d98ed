import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { firstKill, KILL_STRIDE } from '../helpers/long.ts'
import { filesBelow, type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../helpers/dying.cjs', import.meta.url))

test('a start that is killed at any step shows git a whole conversation or nothing, and the next one gets the next number', async () => {
  const { numbers, steps } = await killedAtEveryStep(['start', 'brainstorm', 'API', '--json'])
  expect(steps).toBeGreaterThan(10)
  // Some were killed before the conversation was there, and some after.
  expect(new Set(numbers)).toEqual(new Set(['001', '002']))
}, 300_000)

/** Kills a start at its first, second, … step on the disk until one lives, each in a workspace of its own. */
async function killedAtEveryStep(args: string[]) {
  const numbers: string[] = []
  for (let step = firstKill(); ; step += KILL_STRIDE) {
    const lab = await workspaceLab()
    const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_AT: String(step) }
    const { code, stderr } = await lab.cortext(args, { env })
    expect([0, null], stderr).toContain(code)
    const seen = seenByGit(lab)
    expect([[], [...WHOLE]], `killed at step ${step}`).toContainEqual(seen)
    if (code === 0) return { numbers, steps: step }
    const { id } = await lab.json<{ id: string }>(args)
    expect(id.slice(0, 3), `killed at step ${step}`).toBe(seen.length === 0 ? '001' : '002')
    expect(halfMade(lab), `killed at step ${step}`).toEqual([])
    numbers.push(id.slice(0, 3))
    lab.remove()
  }
}

/** Its state is on this machine's side until it is saved. */
const WHOLE = ['001-brainstorm-api/brainstorm.md']

/** What of conversations git shows as new, below the day's folder. */
function seenByGit(lab: Lab): string[] {
  return lab
    .git('status', '--porcelain', '--untracked-files=all', '--', 'conversations')
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replace(/^\?\? conversations\/[^/]+\//, ''))
    .sort()
}

function halfMade(lab: Lab): string[] {
  const making = join(lab.root, '.git/cortext/making')
  const hidden = readdirSync(join(lab.root, 'conversations'), { recursive: true }).map(String)
  return [
    ...(existsSync(making) ? readdirSync(making) : []),
    ...hidden.filter((path) => /(^|\/)\.\d{3}/.test(path)),
  ]
}

test('a deletion takes what a killed program has left half made on another day too: it may be a fork', async () => {
  const lab = await workspaceLab({ init: 'shared' })
  const { path } = await lab.json<{ path: string }>(['start', 'plan', 'Wrens', '--json'])
  const half = join(lab.root, 'conversations/2026-11-21/.005/.session/messages.jsonl')
  mkdirSync(dirname(half), { recursive: true })
  writeFileSync(half, '{}\n')
  await lab.json(['delete', path, '--yes', '--json'])
  expect(existsSync(half)).toBe(false)
})

test('doctor names what an older version left half made, and doctor --fix removes it, but no file of another program', async () => {
  const lab = await workspaceLab()
  const day = 'conversations/2026-11-21'
  const [left, strange] = [join(lab.root, day, '.003'), join(lab.root, day, '.004')]
  for (const folder of [join(left, '.session'), strange]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(left, 'brainstorm.md'), '# API\n')
  writeFileSync(join(strange, 'own.txt'), 'mine')
  const longAgo = new Date(Date.now() - 3_600_000)
  for (const folder of [left, strange]) utimesSync(folder, longAgo, longAgo)
  const { stdout } = await lab.cortext(['doctor'])
  expect(stdout).toContain(`1 conversation half made by a program that was killed: ${day}/.003`)
  expect((await lab.cortext(['doctor', '--fix'])).stdout).toContain(`removed ${day}/.003`)
  expect(Object.keys(filesBelow(join(lab.root, day)))).toEqual(['.004/own.txt'])
})
