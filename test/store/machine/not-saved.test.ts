import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localFiles } from '../../../src/store/layout.ts'
import { forgetNotSaved, openNotSaved, type Remembered } from '../../../src/store/machine/not-saved.ts'
import { tempFolder } from '../sandbox.ts'

const session = (nativeId: string): Record<string, Remembered> => ({
  [`claude ${nativeId}`]: {
    client: 'claude',
    nativeId,
    transcript: '',
    key: 'conversations/2026-01-01/001-x',
    parts: [],
    command: '',
  },
})

test('a list that read the note before a conversation was deleted does not write it again', () => {
  const local = tempFolder()
  openNotSaved(local).replace(session('a'), () => true)
  const list = openNotSaved(local)
  expect(list.sessions).toEqual(session('a'))
  forgetNotSaved(local)
  list.replace(session('a'), () => true)
  expect(existsSync(localFiles(local).notSaved)).toBe(false)
  // Nor does it write over what another list has found since.
  openNotSaved(local).replace(session('b'), () => true)
  list.replace(session('a'), () => true)
  expect(openNotSaved(local).sessions).toEqual(session('b'))
})

test('nothing is written where what a list has looked at is gone', () => {
  const local = tempFolder()
  openNotSaved(local).replace(session('a'), () => false)
  expect(existsSync(localFiles(local).notSaved)).toBe(false)
})
