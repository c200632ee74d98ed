import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

const KEPT = { general: { sessionRetention: { enabled: false } } }

function machine(files: Record<string, object | string> = {}, env: Record<string, string> = {}) {
  const root = tempFolder()
  const [project, home] = [join(root, 'p'), join(root, 'home')]
  const all: Record<string, object | string> = {
    'home/.gemini/trustedFolders.json': { [project]: 'TRUST_FOLDER' },
    'p/.gemini/settings.json': KEPT,
    ...files,
  }
  for (const [path, content] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(
      join(root, path),
      typeof content === 'string' ? content : JSON.stringify(content).replaceAll('$P', project),
    )
  }
  const environment = placeOf(project, { HOME: home, ...env })
  return {
    root,
    health: () => gemini.health!.findings(environment, project),
    codes: () => gemini.health!.findings(environment, project).map(({ code }) => code),
    retention: () => gemini.sessions.retention!(environment, project),
  }
}

describe('what is in the way of our hooks and commands in Gemini CLI', () => {
  it('is nothing in a trusted folder with what init writes', () => {
    expect(machine().health()).toEqual([])
  })

  it('is a folder that is not trusted, by the longest rule, unless trust is not asked for', () => {
    const trust = (rules: object) => machine({ 'home/.gemini/trustedFolders.json': rules }).codes()
    expect(trust({})).toEqual(['untrusted-folder'])
    expect(trust({ '$P/elsewhere': 'TRUST_FOLDER' })).toEqual(['untrusted-folder'])
    expect(trust({ '/': 'TRUST_FOLDER' })).toEqual([])
    expect(trust({ '/': 'TRUST_FOLDER', $P: 'DO_NOT_TRUST' })).toEqual(['untrusted-folder'])
    expect(trust({ '/': 'DO_NOT_TRUST', $P: 'TRUST_FOLDER' })).toEqual([])
    expect(trust({ '$P/sub': 'TRUST_PARENT' })).toEqual([])
    const off = {
      'home/.gemini/trustedFolders.json': {},
      'home/.gemini/settings.json': '{"security": {"folderTrust": {"enabled": false}}} // mine',
    }
    expect(machine(off).codes()).toEqual([])
    expect(
      machine({ 'home/.gemini/trustedFolders.json': {} }, { GEMINI_CLI_TRUST_WORKSPACE: 'true' }).codes(),
    ).toEqual([])
    expect(machine({}, { GEMINI_RESTRICTED_MODE: 'true' }).codes()).toEqual(['untrusted-folder'])
  })

  it('is hooks that are turned off, all or ours', () => {
    expect(machine({ 'home/.gemini/settings.json': { hooksConfig: { enabled: false } } }).codes()).toEqual([
      'hooks-disabled',
    ])
    const decided = {
      'home/.gemini/settings.json': { hooksConfig: { enabled: false } },
      'p/.gemini/settings.json': { ...KEPT, hooksConfig: { enabled: true } },
    }
    expect(machine(decided).codes()).toEqual([])
    expect(
      machine({ 'p/.gemini/settings.json': { ...KEPT, hooksConfig: { disabled: ['cortext'] } } }).codes(),
    ).toEqual(['hooks-disabled'])
    expect(
      machine({ 'p/.gemini/settings.json': { ...KEPT, hooksConfig: { disabled: ['other'] } } }).codes(),
    ).toEqual([])
  })

  it('is a command of ours that is in another place too; the proposed command mends that', () => {
    for (const other of ['home/.gemini/commands', 'home/.gemini/extensions/it s/commands']) {
      const twice = machine({
        'p/.gemini/commands/workspace.plan.toml': 'x',
        'p/.gemini/commands/mine.toml': 'x',
        [`${other}/workspace.plan.toml`]: 'x',
        [`${other}/mine.toml`]: 'x',
      })
      const [found, ...more] = twice.health()
      expect(more).toEqual([])
      expect(found).toMatchObject({ severity: 'problem', code: 'duplicate-command' })
      expect(found!.message).toMatch(/^\/workspace\.plan is in/)
      execFileSync('/bin/sh', ['-ec', found!.fix!])
      expect(twice.health()).toEqual([])
    }
  })

  it('is noted where the client deletes sessions, which a person may want', () => {
    expect(machine({ 'p/.gemini/settings.json': {} }).health()).toMatchObject([
      { severity: 'note', code: 'sessions-at-risk' },
    ])
  })
})

describe('when Gemini CLI deletes its sessions', () => {
  const days = (sessionRetention: object | undefined, own: object = {}) =>
    machine({
      'p/.gemini/settings.json': sessionRetention === undefined ? {} : { general: { sessionRetention } },
      'home/.gemini/settings.json': own,
    }).retention()?.days

  it('is never where it is turned off, 30 days where nothing is set, else what is', () => {
    expect(days({ enabled: false })).toBeUndefined()
    expect(days(undefined)).toBe(30)
    expect(days({ maxAge: '2w' })).toBe(14)
    expect(days({ maxAge: '36h' })).toBe(1.5)
    expect(days(undefined, { general: { sessionRetention: { maxAge: '1m' } } })).toBe(30)
    expect(days({ enabled: false }, { general: { sessionRetention: { maxAge: '7d' } } })).toBeUndefined()
  })

  it('is never where it does not accept the setting: less than a day, another form', () => {
    expect(days({ maxAge: '3h' })).toBeUndefined()
    expect(days({ maxAge: 'soon' })).toBeUndefined()
  })
})
