import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { OwnSettings } from '../../../src/clients/contract/settings.ts'
import { copilot } from '../../../src/clients/copilot/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

// promise: **Copilot CLI asks you whether you trust the folder**
test.each([
  ['nothing is said', [], {}, 'untrusted-folder'],
  ['the folder is trusted', ['.'], {}, undefined],
  ['the folder above is trusted', ['..'], {}, undefined],
  ['another folder is trusted', ['../other', './inner', '../pro'], {}, 'untrusted-folder'],
  ['hooks are off', ['.'], { disableAllHooks: true }, 'hooks-disabled'],
  // The client's help names this file, but there the key has no effect.
  ['the folder is named in the settings', [], { trustedFolders: ['.'] }, 'untrusted-folder'],
])('doctor says whether Copilot CLI runs our hooks: %s', (_what, trusted, settings, code) => {
  const [home, folder] = [tempFolder(), join(tempFolder(), 'project')]
  mkdirSync(folder)
  const own = join(home, '.copilot')
  mkdirSync(own, { recursive: true })
  const trustedFolders = trusted.map((path) => join(folder, path))
  writeFileSync(join(own, 'config.json'), `// its own comment\n${JSON.stringify({ trustedFolders })}`)
  writeFileSync(join(own, 'settings.json'), JSON.stringify(settings))
  const found = copilot.health!.findings(placeOf(folder, { HOME: home }), folder)
  expect(found).toEqual(
    code === undefined ? [] : [expect.objectContaining({ code, fix: expect.any(String) })],
  )
})

test('a variable trusts the folder in which Copilot CLI starts', () => {
  const [home, folder] = [tempFolder(), tempFolder()]
  const findings = (value: string) =>
    copilot.health!.findings(placeOf(folder, { HOME: home, COPILOT_ALLOW_ALL: value }), folder)
  expect(findings('true')).toEqual([])
  expect(findings('1')).toHaveLength(1)
})

test('hooks and commands for all workspaces work in a folder that Copilot CLI does not trust, unless it has hooks of ours itself', () => {
  const [home, folder] = [tempFolder(), tempFolder()]
  const put = (path: string, { file, add }: OwnSettings) => {
    mkdirSync(dirname(join(path, file)), { recursive: true })
    writeFileSync(join(path, file), JSON.stringify(add({})))
  }
  const findings = () => copilot.health!.findings(placeOf(folder, { HOME: home }), folder)
  put(join(home, '.copilot'), copilot.personal!.settings!)
  expect(findings()).toEqual([])
  put(folder, copilot.settings!)
  expect(findings()).toHaveLength(1)
})
