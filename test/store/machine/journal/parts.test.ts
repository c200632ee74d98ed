import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readCurrentJournal } from '../../../../src/store/machine/journal/current-journal.ts'
import { copyNewBytes } from '../../../../src/store/machine/journal/journal.ts'
import { runs } from '../../../helpers/long.ts'
import { tempFolder } from '../../../helpers/repository.ts'

test('law: a journal of several parts is their bytes one after the other, however often it is copied while they grow', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 9000 })
  fc.assert(
    fc.property(
      fc.array(fc.array(bytes, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      (files) => {
        const folder = tempFolder()
        const journal = join(folder, 'journal.jsonl')
        const before: { path: string; to: number }[] = []
        let all: Buffer = Buffer.alloc(0)
        for (const [index, pieces] of files.entries()) {
          const transcript = join(folder, `part-${index}`)
          let own: Buffer = Buffer.alloc(0)
          for (const piece of pieces) {
            own = Buffer.concat([own, piece])
            all = Buffer.concat([all, piece])
            writeFileSync(transcript, own)
            const ahead = readCurrentJournal({ transcript, before, journal })
            expect(Buffer.from(ahead.read('journal.jsonl')).equals(all)).toBe(true)
            const copy = copyNewBytes({ transcript, before, journal })
            expect(copy).toEqual({
              generation: 'journal.jsonl',
              size: all.length,
              copied: piece.length,
              restarted: false,
            })
            expect(readFileSync(journal).equals(all)).toBe(true)
          }
          // What lies behind the part that counts is not copied.
          writeFileSync(transcript, Buffer.concat([own, Buffer.from('behind')]))
          before.push({ path: transcript, to: own.length })
        }
      },
    ),
    runs(25, 250),
  )
})

test('a part that is missing is left out, and without the transcript nothing is copied', () => {
  const folder = tempFolder()
  const [journal, transcript] = [join(folder, 'journal.jsonl'), join(folder, 'transcript')]
  const before = [{ path: join(folder, 'gone'), to: 9 }]
  expect(copyNewBytes({ transcript, before, journal }).copied).toBe(0)
  writeFileSync(transcript, 'own')
  expect(copyNewBytes({ transcript, before, journal }).size).toBe(3)
})
