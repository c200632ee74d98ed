import { randomInt } from 'node:crypto'
import { expect, it } from 'vitest'
import { isTrivial } from '../../src/extras/why/lines.ts'
import { LONG, TIME_FOR_RUNS } from '../helpers/long.ts'
import { type Lived, liveHistory } from './lived-history.ts'
import { openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

const SIZE = LONG
  ? { commits: 200, conversations: 20, rounds: 50 }
  : { commits: 20, conversations: 4, rounds: 5 }

it(
  'no line names a conversation that did not write it, and nearly every line that a conversation of the real client wrote names it',
  async () => {
    // CI tells one history again; others by `npm run test:long`.
    const seed = Number(process.env.CORTEXT_SEED ?? (LONG ? randomInt(2 ** 31) : 31))
    process.stdout.write(`CORTEXT_SEED=${seed}\n`)
    await using lab = await openWorkspaceLab()
    const lived = await liveHistory(lab, { seed, ...SIZE })
    process.stdout.write(`${JSON.stringify(Object.fromEntries(lived.happened))}\n`)
    expect(lived.madeBy.size).toBeGreaterThanOrEqual(SIZE.commits)
    expect(lab.conversations()).toHaveLength(SIZE.conversations)

    const found = await namedIn(lab, lived)
    process.stdout.write(`${JSON.stringify({ ...found, wrong: found.wrong.length })}\n`)
    expect(found.wrong).toEqual([])
    expect(found.missed).toBeLessThan(found.named / 10)
    expect(found.named).toBeGreaterThan(SIZE.conversations)
    expect(found.unnamed).toBeGreaterThan(SIZE.conversations)
    expect(await wrongCommits(lab, lived)).toEqual([])
  },
  TIME_FOR_RUNS,
)

/** Compares the conversations that `why` names for the lines of each file with the real ones. */
async function namedIn(lab: WorkspaceLab, { files, idOf }: Lived) {
  const wrong: object[] = []
  let [named, unnamed, missed] = [0, 0, 0]
  for (const { path, lines } of files) {
    const found = await json<{ lines: number; conversations: { id: string; lines: [number, number][] }[] }>(
      lab,
      ['why', path, '--json'],
    )
    expect(found.lines).toBe(lines.length)
    for (const [at, { text }] of lines.entries()) {
      const by = found.conversations
        .filter((one) => one.lines.some(([from, to]) => from <= at + 1 && at + 1 <= to))
        .map(({ id }) => id)
      // Git itself may confuse lines with equal text.
      const right = lines
        .filter((one) => one.text === text)
        .map((one) => (one.by === undefined ? undefined : idOf(one.by)))
      const isRight = by.length < 2 && (by.length === 0 || right.includes(by[0]))
      if (by.length === 0 && !right.includes(undefined) && !isTrivial(text)) missed += 1
      if (!isRight) wrong.push({ path, line: at + 1, text, right, named: by })
      if (!isTrivial(text) && by.length === 1) named += 1
      if (!isTrivial(text) && by.length === 0) unnamed += 1
    }
  }
  return { named, unnamed, missed, wrong }
}

interface Why {
  wrote: { id: string } | null
  same_text: { id: string }[]
  commit: { sha: string; conversations: { id: string; how: string }[] } | null
}

/** Asks for single lines with which commit they came, and which conversation made it. */
async function wrongCommits(lab: WorkspaceLab, { files, madeBy, idOf }: Lived): Promise<object[]> {
  const wrong: object[] = []
  for (const { path, lines } of files)
    for (const [at, { text, back }] of lines.entries()) {
      if (isTrivial(text) || (back === undefined && at % 8 !== 0)) continue
      const { commit, wrote, same_text } = await json<Why>(lab, ['why', `${path}:${at + 1}`, '--json'])
      const made = commit?.conversations.filter(({ how }) => how === 'made in it').map(({ id }) => id) ?? []
      const maker = commit === null ? undefined : madeBy.get(commit.sha)
      const right = maker === undefined ? [] : [idOf(maker)]
      if (made.join() !== right.join()) wrong.push({ path, line: at + 1, text, made, right })
      // Git has brought it back: who wrote it once is still told.
      if (back !== undefined && wrote === null && !same_text.some(({ id }) => id === idOf(back)))
        wrong.push({ path, line: at + 1, text, back: idOf(back), same_text })
    }
  return wrong
}

async function json<T>(lab: WorkspaceLab, args: readonly string[]): Promise<T> {
  const { stdout, stderr, code } = await lab.cortext(args)
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${stderr}`)
  return JSON.parse(stdout) as T
}
