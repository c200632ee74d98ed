import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stateFile } from '../../src/io/state-file.ts'
import { makeTemporaryFolder } from '../../src/io/temporary-folder.ts'

test('a relative folder for state is ignored: it would lead into a clone', () => {
  const own = join('/home/me', '.local', 'state', 'cortext', 'x')
  for (const state of [undefined, '', 'rel', './rel', '../rel'])
    expect(stateFile({ home: '/home/me', env: { XDG_STATE_HOME: state } }, 'x')).toBe(own)
  expect(stateFile({ home: '/home/me', env: { XDG_STATE_HOME: '/state' } }, 'x')).toBe('/state/cortext/x')
})

test('a temporary folder that cannot be made is an error that names the place', () => {
  expect(() => makeTemporaryFolder('missing/x-')).toThrow(
    expect.objectContaining({ code: 'unwritable', message: expect.stringContaining(tmpdir()) }),
  )
})

test('a temporary folder that is gone: the fix makes it', () => {
  const before = process.env.TMPDIR
  process.env.TMPDIR = join(tmpdir(), 'gone', 'with the session')
  try {
    expect(() => makeTemporaryFolder()).toThrow(
      expect.objectContaining({ code: 'unwritable', fix: `mkdir -p '${process.env.TMPDIR}'` }),
    )
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
})
