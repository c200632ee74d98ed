import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { unsettledIn } from '../../../src/journeys/merging/unsettled.ts'
import { SessionFile } from '../../../src/session/schema.ts'
import { conversationsIn } from '../../../src/session/sharing/apart.ts'
import { RECORD } from '../../../src/store/layout.ts'
import { readRecord } from '../../../src/store/record/index.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { workspaceLab } from '../../helpers/workspace-lab.ts'

const PATH = 'conversations/2026-11-20/001-brainstorm-origins'
const ORIGINS = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc']

/** Writes the word as JSON, some of its letters as escapes. */
function escaped(word: string, where: readonly boolean[]): string {
  const letters = [...word].map((letter, at) =>
    where[at] === true ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
  )
  return `"${letters.join('')}"`
}

test('law: without a merge, the lines of another conversation in the folder are found as if all lines were read', async () => {
  const { environment, root } = await workspaceLab({ git: 'none' })
  const ws = openWorkspace(environment)
  const folder = join(root, PATH)
  mkdirSync(join(folder, dirname(RECORD.session)), { recursive: true })
  const origin = fc.constantFrom(...ORIGINS)
  const letters = fc.array(fc.boolean(), { maxLength: 12 })
  const line = fc
    .tuple(
      fc.constantFrom(' ', '\\"origin\\":\\"dddddddddddd\\"'),
      fc.option(origin),
      letters,
      letters,
      fc.uuid(),
    )
    .map(([said, of, inKey, inValue, id]) => {
      const named = of === null ? '' : `, ${escaped('origin', inKey)} : ${escaped(of, inValue)}`
      return `{"id":"${id}","role":"user","content":"${said}","timestamp":"2026-11-20T09:00:00Z"${named}}\n`
    })
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 6 }),
      fc.option(origin),
      fc.array(origin),
      (lines, own, forked) => {
        const session = SessionFile.parse({
          ...{ conversation_id: '001-brainstorm-origins', conversation_type: 'brainstorm' },
          ...{ created_at: '2026-11-20T09:00:00Z', last_active: '2026-11-20T09:00:00Z' },
          ...(own === null ? {} : { origin: own }),
          ...(forked.length === 0 ? {} : { forked_from: { path: 'x', message_id: 'y', origins: forked } }),
        })
        writeFileSync(join(folder, RECORD.session), JSON.stringify(session))
        writeFileSync(join(folder, RECORD.messages), lines.join(''))
        const found = unsettledIn(ws, PATH, { changedByGit: false, unmerged: new Map() })
        const all = conversationsIn(PATH, session, readRecord(folder).lines)
        expect(found?.conversations.map((one) => one.origin)).toEqual(
          all.length > 1 ? all.map((one) => one.origin) : undefined,
        )
      },
    ),
    { numRuns: 300 },
  )
})
