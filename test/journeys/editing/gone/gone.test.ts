import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Chance } from '../../../faults/chance.ts'
import { historyOf, inHistory } from '../../../helpers/history-lab.ts'
import { LONG, runs, TIME_FOR_RUNS } from '../../../helpers/long.ts'
import { filesBelow, type Lab, openLab, shown, talk } from '../../../helpers/workspace-lab.ts'
import { drawer, TOKENS } from '../../../redact/redact-corpus.ts'
import { type Kill, killed, Life, type Told } from './life.ts'
import { hasCommit, leftovers, traces, versions } from './traces.ts'

/** In each life, one of so many steps is killed, from a random one on. A long run kills at each git. */
const STRIDE = LONG ? { disk: 4, git: 1 } : { disk: 40, git: 5 }

test(
  'what was deleted or redacted is gone from this machine, also when the program was killed at any step, and nothing else is',
  async () => {
    const { numRuns, seed } = runs(1, 50)
    let kills = 0
    for (let run = 0; run < numRuns; run++) {
      const lab = await openLab({ init: 'private' })
      const chance = new Chance(seed + run)
      const life = new Life(lab, chance)
      try {
        kills += await playAndErase(lab, life, chance)
      } catch (cause) {
        const told = [`CORTEXT_SEED=${seed + run}`, (cause as Error).message, ...life.steps]
        throw new Error(told.join('\n'), { cause })
      } finally {
        lab.remove()
      }
    }
    process.stdout.write(`${numRuns} lives, ${kills} kills\n`)
  },
  // Each kill takes a second.
  4 * TIME_FOR_RUNS,
)

/** Kills the erasing at one step after another, each time from the same state, and lets it be done again. */
async function playAndErase(lab: Lab, life: Life, chance: Chance): Promise<number> {
  await life.play()
  const doomed = chance.of(life.told.filter((one) => one.words.length > 0 && life.isListed(one)))
  const path = life.pathOf(doomed)
  const redacts = chance.percent(33)
  const words = redacts ? await plant(lab, life, doomed, chance) : doomed.words
  const args = redacts ? ['redact', path, '--apply', '--json'] : ['delete', path, '--yes', '--json']
  life.steps.push(args.join(' '))
  const law = await lawOf(lab, life, doomed, words)
  const folder = dirname(lab.root)
  const kept = `${folder}-kept`
  execFileSync('cp', ['-a', folder, kept])
  let played = 0
  try {
    for (const kind of ['disk', 'git'] as const)
      for (let step = chance.number(STRIDE[kind]), lives = false; !lives; step += STRIDE[kind]) {
        const kill = killAt(kind, step, chance)
        const { code, stderr } = await killed(lab, args, kill)
        lives = code === 0
        if (!lives) {
          expect(code, stderr).toBe(null)
          played += 1
          if (chance.percent(30)) await lab.cortext(['list'])
          const again = await lab.cortext(args)
          // All of it may have been deleted already.
          const isDone = again.code === 0 || (!redacts && again.stdout.includes('"not-found"'))
          expect(isDone, `${JSON.stringify(kill)} ${again.stdout}${again.stderr}`).toBe(true)
        }
        await law(JSON.stringify(kill))
        execFileSync('rm', ['-rf', folder])
        execFileSync('cp', ['-a', kept, folder])
      }
  } finally {
    rmSync(kept, { recursive: true, force: true })
  }
  return played
}

function killAt(kind: 'disk' | 'git', step: number, chance: Chance): Kill {
  if (kind === 'disk') return { disk: 1 + step }
  return { git: 1 + Math.floor(step / 3), how: HOW[step % 3]!, ms: chance.number(8) }
}

const HOW = ['before', 'during', 'after'] as const

/** Puts a secret into the record, as a program without the rule has left it, in every worktree and in the history. */
async function plant(lab: Lab, life: Life, doomed: Told, chance: Chance): Promise<string[]> {
  const path = life.pathOf(doomed)
  const secret = TOKENS['github-token']!(drawer(chance.number(2 ** 30)))
  const word = chance.of(doomed.words)
  for (const root of life.roots)
    for (const [file, text] of Object.entries(filesBelow(join(root, 'conversations'))))
      if (/\.session\/(?:messages\.jsonl|session\.json|archive\/)/.test(file) && text.includes(`"${word}`))
        writeFileSync(
          join(root, 'conversations', file),
          text.replaceAll(`"${word}`, `"${secret} ${word}`),
          'latin1',
        )
  for (const cwd of life.roots) {
    await lab.cortext(['list', '--all'], { cwd })
    await lab.cortext(['save', path], { cwd })
  }
  if (chance.percent(50)) await lab.cortext(['view', '--all', '--no-open'])
  await lab.cortext(['list', '--all'])
  return [secret]
}

/** What has to be true when the conversation, or its secret, is gone. `words` are its words, or the secret. */
async function lawOf(lab: Lab, life: Life, doomed: Told, words: readonly string[]) {
  const isDoomed = (file: string) => file.includes(doomed.name)
  const filesOfOthers = () =>
    life.roots.map((root) =>
      Object.entries(filesBelow(join(root, 'conversations'))).filter(([file]) => !isDoomed(file)),
    )
  const others = life.told
    .filter((one) => one !== doomed && life.isListed(one))
    .map((one) => life.pathOf(one))
  const saidInOthers = () => Promise.all(others.map(async (path) => talk(await shown(lab, path))))
  const before = { files: filesOfOthers(), versions: versions(lab, isDoomed), said: await saidInOthers() }
  return async (kill: string) => {
    expect([...traces(lab, words), ...leftovers(lab)], kill).toEqual([])
    expect(filesOfOthers(), kill).toEqual(before.files)
    expect(versions(lab, isDoomed), kill).toEqual(before.versions)
    expect(await saidInOthers(), kill).toEqual(before.said)
    if (!hasCommit(lab)) return
    expect(inHistory(lab, 'fsck', '--full', '--strict'), kill).toBe('')
    const clone = `${lab.root}-clone`
    execFileSync('git', ['clone', '--quiet', historyOf(lab), clone], { env: lab.env })
    rmSync(clone, { recursive: true })
  }
}
