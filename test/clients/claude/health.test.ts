import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

function machine(files: Record<string, object>) {
  const root = tempFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), JSON.stringify(content))
  }
  const environment = placeOf(join(root, 'p'), { HOME: join(root, 'home') })
  return {
    health: () => claude.health!.findings(environment, join(root, 'p')),
    retention: () => claude.sessions.retention!(environment, join(root, 'p')),
    root,
  }
}

test('hooks that are turned off are a problem, by the settings that decide', () => {
  const off = { disableAllHooks: true }
  for (const path of [
    'p/.claude/settings.local.json',
    'p/.claude/settings.json',
    'home/.claude/settings.json',
  ]) {
    const { health, root } = machine({ [path]: off })
    expect(health()).toMatchObject([
      { severity: 'problem', code: 'hooks-disabled', fix: expect.stringContaining(join(root, path)) },
    ])
  }
  const on = { disableAllHooks: false }
  expect(
    machine({ 'p/.claude/settings.local.json': on, 'home/.claude/settings.json': off }).health(),
  ).toEqual([])
  expect(machine({}).health()).toEqual([])
})

test('a setting with which earlier versions write no transcripts is a problem', () => {
  const zero = { cleanupPeriodDays: 0 }
  expect(machine({ 'home/.claude/settings.json': zero }).health()).toEqual([
    {
      severity: 'problem',
      code: 'sessions-not-kept',
      message: expect.stringContaining('nothing is recorded'),
      fix: expect.stringContaining('.claude/settings.json to 3650'),
    },
  ])
  expect(machine({ 'home/.claude/settings.json': { cleanupPeriodDays: 1 } }).health()).toEqual([])
})

// promise: deletes its own transcripts after 30 days; the conversation stays
test('transcripts go after cleanupPeriodDays, 30 unless it is set, and never with 0', () => {
  expect(machine({}).retention()).toEqual({ days: 30, setting: 'cleanupPeriodDays' })
  expect(machine({ 'home/.claude/settings.json': { cleanupPeriodDays: 99 } }).retention()).toMatchObject({
    days: 99,
  })
  const both = {
    'home/.claude/settings.json': { cleanupPeriodDays: 99 },
    'p/.claude/settings.json': { cleanupPeriodDays: 7 },
  }
  expect(machine(both).retention()).toMatchObject({ days: 7 })
  const own = { ...both, 'p/.claude/settings.local.json': { cleanupPeriodDays: 5 } }
  expect(machine(own).retention()).toMatchObject({ days: 5 })
  expect(machine({ 'home/.claude/settings.json': { cleanupPeriodDays: 0 } }).retention()).toBeUndefined()
  expect(machine({ 'home/.claude/settings.json': { cleanupPeriodDays: 'x' } }).retention()).toMatchObject({
    days: 30,
  })
})
