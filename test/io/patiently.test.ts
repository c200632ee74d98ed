import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { patiently } from '../../src/io/file-error.ts'
import { tempFolder } from '../helpers/repository.ts'

/** A step that the system refuses so often, as it does while another program has a file open. */
function heldFor(times: number, code = 'EPERM') {
  let tries = 0
  const step = () => {
    if (++tries <= times) throw Object.assign(new Error(code), { code, syscall: 'rename' })
    return tries
  }
  return { step, tries: () => tries }
}

test('a file that another program holds for a moment is waited for on Windows, and nowhere else', () => {
  expect(patiently(heldFor(3).step, 'win32')).toBe(4)
  expect(patiently(heldFor(3, 'EBUSY').step, 'win32')).toBe(4)
  const other = heldFor(1)
  expect(() => patiently(other.step, 'linux')).toThrow('EPERM')
  expect(other.tries()).toBe(1)
})

test('an error that time does not cure is thrown at once, and one that lasts in the end', () => {
  const gone = heldFor(1, 'ENOENT')
  expect(() => patiently(gone.step, 'win32')).toThrow('ENOENT')
  expect(gone.tries()).toBe(1)
  expect(() => patiently(heldFor(Number.POSITIVE_INFINITY).step, 'win32')).toThrow('EPERM')
  const folder = join(tempFolder(), 'full')
  mkdirSync(join(folder, 'inner'), { recursive: true })
  expect(() => patiently(() => rmdirSync(folder), 'win32')).toThrow('ENOTEMPTY')
})
