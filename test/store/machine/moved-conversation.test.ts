import { existsSync, mkdirSync, rmdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recoveredSession } from '../../../src/session/recovered.ts'
import { fileNameOf, localFiles } from '../../../src/store/layout.ts'
import {
  heldAt,
  holdMetadata,
  publishedSince,
  readMetadataBackup,
  writeMetadataBackup,
} from '../../../src/store/machine/metadata-backup.ts'
import { moveConversation } from '../../../src/store/machine/moved-conversation.ts'
import { writePage } from '../../../src/store/machine/pages.ts'
import { tempFolder } from '../sandbox.ts'

const FROM = 'conversations/2026-01-01/001-plan-a'
const TO = 'conversations/2026-01-01/001-plan-b'

test('a move that was cut off while it forgot the old path is finished by the next call', () => {
  const local = join(tempFolder(), 'local')
  writeMetadataBackup(local, FROM, recoveredSession(FROM, []), local)
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

test('a move keeps both states of the conversation, and when each was written', () => {
  const local = join(tempFolder(), 'local')
  writeMetadataBackup(local, FROM, recoveredSession(FROM, []), local)
  holdMetadata(local, FROM, { ...recoveredSession(FROM, []), title: 'Held back' }, local)
  const [published, held] = ['', '~held'].map((ending) =>
    join(localFiles(local).metadata, `${fileNameOf(FROM)}${ending}.json`),
  )
  utimesSync(published!, 1_000, 1_000)
  utimesSync(held!, 2_000, 2_000)
  moveConversation(local, FROM, TO, () => true)

  expect(readMetadataBackup(local, TO)).toMatchObject({ path: TO, session: { title: 'Held back' } })
  expect(heldAt(local, TO)).toBe(2_000_000)
  expect(publishedSince(local, TO, 999_000)).toBe(true)
  expect(publishedSince(local, TO, 1_001_000)).toBe(false)
  expect(existsSync(published!)).toBe(false)
})

test('a move takes no older state to where a newer one was published', () => {
  const local = join(tempFolder(), 'local')
  holdMetadata(local, FROM, { ...recoveredSession(FROM, []), title: 'Earlier' }, local)
  writeMetadataBackup(local, TO, { ...recoveredSession(TO, []), title: 'Later' }, local)
  moveConversation(local, FROM, TO, () => true)
  expect(readMetadataBackup(local, TO)).toMatchObject({ session: { title: 'Later' } })
})

test('a move mixes no state with that of another conversation', () => {
  const local = join(tempFolder(), 'local')
  writeMetadataBackup(local, FROM, { ...recoveredSession(FROM, []), origin: 'aaaaaaaaaaaa' }, local)
  holdMetadata(local, TO, { ...recoveredSession(TO, []), origin: 'bbbbbbbbbbbb' }, local)
  moveConversation(local, FROM, TO, () => true)
  expect(publishedSince(local, TO, 0)).toBe(false)
})
