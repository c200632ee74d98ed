import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLog, writeLog } from '../../../src/store/machine/log.ts'
import { tempFolder } from '../sandbox.ts'

function places() {
  const local = join(tempFolder(), 'local')
  return { local, log: join(local, 'log') }
}

test('E-20: only this user can read the log, since a failure may quote what was said', () => {
  const { local, log } = places()
  writeLog(local, 'hook claude: no room')
  expect(statSync(log).mode & 0o777).toBe(0o600)
  expect(statSync(local).mode & 0o777).toBe(0o700)
})

test('every entry of the log is one line with its time, and entries are read back in order', () => {
  const { local, log } = places()
  expect(readLog(local)).toEqual([])
  writeLog(local, 'Error: first\n    at here\u001b[31m\n')
  writeLog(local, 'second')
  expect(readFileSync(log, 'utf8').split('\n')).toHaveLength(3)
  const read = readLog(local)
  expect(read.map(({ what }) => what)).toEqual(['Error: first     at here [31m ', 'second'])
  for (const { at } of read) expect(Math.abs(Date.now() - at.getTime())).toBeLessThan(600_000)
})

test('a log of more than a megabyte is moved aside, and a new one begins', () => {
  const { local, log } = places()
  writeLog(local, 'before')
  writeFileSync(log, 'x'.repeat(1024 * 1024))
  writeLog(local, 'fills it')
  expect(existsSync(`${log}.1`)).toBe(false)
  writeLog(local, 'after')
  expect(readFileSync(`${log}.1`, 'utf8')).toContain('fills it')
  expect(readLog(local).map(({ what }) => what)).toEqual(['after'])
})

test('an entry that cannot be logged causes no failure', () => {
  const { local } = places()
  writeFileSync(local, 'a file')
  expect(() => writeLog(local, 'lost')).not.toThrow()
})
