import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { qwen } from '../../../src/clients/qwen/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

const ASKS = { security: { folderTrust: { enabled: true } } }

// promise: **Qwen Code trusts every folder** unless you have turned its setting for folder trust on; where
test.each([
  ['nothing is set', {}, {}, {}, []],
  ['the client asks', ASKS, {}, {}, ['untrusted-folder']],
  ['the folder is trusted', ASKS, { '.': 'TRUST_FOLDER' }, {}, []],
  ['the folder above is trusted', ASKS, { '..': 'TRUST_FOLDER' }, {}, []],
  ['a folder beside it is trusted with its parent', ASKS, { '../other': 'TRUST_PARENT' }, {}, []],
  [
    'the nearest answer counts',
    ASKS,
    { '..': 'TRUST_FOLDER', '.': 'DO_NOT_TRUST' },
    {},
    ['untrusted-folder'],
  ],
  ['our hooks are the person’s own', qwen.personal!.settings!.add(ASKS), {}, {}, []],
  [
    'our hooks are the project’s too',
    qwen.personal!.settings!.add(ASKS),
    {},
    qwen.settings!.add({}),
    ['untrusted-folder'],
  ],
  ['the question is off', {}, { '.': 'DO_NOT_TRUST' }, {}, []],
  ['all hooks are off', { disableAllHooks: true }, {}, {}, ['hooks-disabled']],
  ['the project has them on', { disableAllHooks: true }, {}, { disableAllHooks: false }, []],
  ['no session is kept', {}, {}, { general: { chatRecording: false } }, ['sessions-not-kept']],
])('doctor says whether Qwen Code runs our hooks: %s', (_what, own, trust, project, codes) => {
  const [home, folder] = [tempFolder(), join(tempFolder(), 'project')]
  mkdirSync(join(folder, '.qwen'), { recursive: true })
  mkdirSync(join(home, '.qwen'))
  const saved = Object.entries(trust).map(([path, value]) => [join(folder, path), value])
  writeFileSync(join(home, '.qwen', 'trustedFolders.json'), JSON.stringify(Object.fromEntries(saved)))
  writeFileSync(join(home, '.qwen', 'settings.json'), JSON.stringify(own))
  writeFileSync(join(folder, '.qwen', 'settings.json'), JSON.stringify(project))
  const found = qwen.health!.findings(placeOf(folder, { HOME: home }), folder)
  expect(found.map(({ code }) => code)).toEqual(codes)
  for (const { severity, fix } of found) expect([severity, fix]).toEqual(['problem', expect.any(String)])
})
