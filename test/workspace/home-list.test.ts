import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stateFile } from '../../src/io/state-file.ts'
import { addToHomeList, readHomeList, takeOffHomeList } from '../../src/workspace/home-list.ts'
import { tempFolder } from '../store/sandbox.ts'

test('a list in the home loses only the entry that a full disk has cut', () => {
  const outside = { home: join(tempFolder(), 'home'), env: {} }
  const add = (value: string) => addToHomeList(outside, 'list', value)
  const list = () => readHomeList(outside, 'list')
  add('/a')
  appendFileSync(stateFile(outside, 'list'), '\n"/b')
  for (const value of ['/c', '/d\n']) add(value)
  expect(list()).toEqual(['/a', '/c', '/d\n'])
  takeOffHomeList(outside, 'list', (value) => value === '/c')
  add('/e')
  expect(list()).toEqual(['/a', '/d\n', '/e'])
  expect(readFileSync(stateFile(outside, 'list'), 'utf8')).not.toContain('/c')
})
