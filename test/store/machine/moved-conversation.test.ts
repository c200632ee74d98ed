import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recoveredSession } from '../../../src/session/recovered.ts'
import { fileNameOf, localFiles } from '../../../src/store/layout.ts'
import { readMetadataBackup, writeMetadataBackup } from '../../../src/store/machine/metadata-backup.ts'
import { moveConversation } from '../../../src/store/machine/moved-conversation.ts'
import { writePage } from '../../../src/store/machine/pages.ts'
import { tempFolder } from '../sandbox.ts'

const FROM = 'conversations/2026-01-01/001-plan-a'
const TO = 'conversations/2026-01-01/001-plan-b'

test('a move that was cut off while it forgot the old path is finished by the next call', () => {
  const local = join(tempFolder(), 'local')
  writeMetadataBackup(local, FROM, recoveredSession(FROM), local)
  const page = writePage(local, FROM, '')
  // A folder in the place of a note: the note cannot be removed.
  const inTheWay = join(localFiles(local).unpublished, `${fileNameOf(FROM)}.json`)
  mkdirSync(inTheWay, { recursive: true })
  const move = () => moveConversation(local, FROM, TO, () => true)

  expect(move).toThrow(expect.objectContaining({ code: 'unwritable' }))
  rmdirSync(inTheWay)
  move()

  expect(existsSync(page)).toBe(false)
  expect(readMetadataBackup(local, FROM)).toBeUndefined()
  expect(readMetadataBackup(local, TO)).toMatchObject({ path: TO })
})
