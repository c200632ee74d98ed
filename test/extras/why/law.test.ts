import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { attribute } from '../../../src/extras/why/attribute.ts'
import { isTrivial } from '../../../src/extras/why/lines.ts'
import { trace } from '../../../src/extras/why/trace.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { LONG, TIME_FOR_RUNS } from '../../helpers/long.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'
import { tellHistory } from './told-history.ts'

/** Found by runs with other seeds, and kept. */
const SEEDS = [1, 2, 1002529683]
/**
 * Which line git takes for moved is not always what happened: in one history of twenty a few lines name nobody, or a
 * brace names another.
 */
const MOST_FEW = 0.05

test(
  'law: no line names a conversation that did not write it, and every line that one wrote names it, in any history but for a few',
  async () => {
    const seeds = [...SEEDS, Number(process.env.CORTEXT_SEED ?? randomInt(2 ** 31))]
    for (const seed of seeds) {
      process.stdout.write(`CORTEXT_SEED=${seed}\n`)
      const lab = await workspaceLab()
      const size = LONG ? { commits: 200, conversations: 20 } : { commits: 40, conversations: 6 }
      const { files, idOf } = tellHistory(lab, { seed, ...size })
      const ws = openWorkspace(lab.environment)
      const wrong: object[] = []
      const few: object[] = []
      let named = 0
      let short = 0
      for (const { path, lines } of files) {
        const found = await attribute(await trace(ws, path))
        expect(found.map(({ text }) => text)).toEqual(lines.map(({ text }) => text))
        for (const [at, { text }] of lines.entries()) {
          const source = found[at]!.by?.place.source.session.conversation_id
          // Of lines that read the same, git itself does not know which is which.
          const same = lines.filter((one) => one.text === text).map((one) => one.by)
          const right = same.map((one) => (one === undefined ? undefined : idOf(one)))
          const isRight = right.includes(source) || (isTrivial(text) && source === undefined)
          if (!isRight)
            (source === undefined || isTrivial(text) ? few : wrong).push({
              seed,
              path,
              line: at + 1,
              text,
              by: right,
              source,
            })
          if (source !== undefined && !isTrivial(text)) named += 1
          if (source !== undefined && isTrivial(text)) short += 1
        }
      }
      expect(wrong).toEqual([])
      if (SEEDS.includes(seed)) expect(few).toEqual([])
      expect(few.length, JSON.stringify(few)).toBeLessThanOrEqual(MOST_FEW * named)
      expect(named).toBeGreaterThan(size.commits / 2)
      // Short lines within a block are known too.
      expect(short).toBeGreaterThan(0)
    }
  },
  TIME_FOR_RUNS,
)
