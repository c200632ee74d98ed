import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from '../../../src/clients/pi/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

// promise: **Pi asks you once whether you trust the folder**
test.each([
  ['nothing is said', {}, {}, 'there answer that you trust it'],
  ['the folder is trusted', { '.': true }, {}, undefined],
  ['the folder above is trusted', { '..': true }, {}, undefined],
  ['the nearest answer counts', { '..': true, '.': false }, {}, '/trust'],
  ['all folders are trusted', {}, { defaultProjectTrust: 'always' }, undefined],
  ['no folder is trusted', {}, { defaultProjectTrust: 'never' }, '/trust'],
])('doctor says whether Pi loads our extension: %s', (_what, trust, settings, fix) => {
  const [home, folder] = [tempFolder(), join(tempFolder(), 'project')]
  mkdirSync(folder)
  const own = join(home, '.pi', 'agent')
  mkdirSync(own, { recursive: true })
  const saved = Object.entries(trust).map(([path, value]) => [join(folder, path), value])
  writeFileSync(join(own, 'trust.json'), JSON.stringify(Object.fromEntries(saved)))
  writeFileSync(join(own, 'settings.json'), JSON.stringify(settings))
  const findings = () => pi.health!.findings(placeOf(folder, { HOME: home }), folder)
  expect(findings()).toEqual(
    fix === undefined
      ? []
      : [expect.objectContaining({ code: 'untrusted-folder', fix: expect.stringContaining(fix) })],
  )
  // Pi loads what is in its own folder in every folder. A file of the project goes before it (plugin/index.ts).
  const put = (where: string) => {
    mkdirSync(join(where, 'extensions'), { recursive: true })
    writeFileSync(join(where, 'extensions/cortext.js'), '')
  }
  put(own)
  expect(findings()).toEqual([])
  put(join(folder, '.pi'))
  expect(findings()).toHaveLength(fix === undefined ? 0 : 1)
})
