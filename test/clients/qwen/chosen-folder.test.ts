import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { qwen } from '../../../src/clients/qwen/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

const NATIVE_ID = '0199aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee'

/** A project whose settings choose a folder for Qwen Code's sessions, and what `place` does with a handoff there. */
function chosen(trust: object) {
  const [home, cwd, folder] = [tempFolder(), tempFolder(), tempFolder()]
  mkdirSync(join(cwd, '.qwen'))
  mkdirSync(join(home, '.qwen'))
  const setting = { advanced: { runtimeOutputDir: folder } }
  writeFileSync(join(cwd, '.qwen', 'settings.json'), JSON.stringify(setting))
  const named = Object.fromEntries(Object.entries(trust).map(([path, level]) => [join(cwd, path), level]))
  writeFileSync(join(home, '.qwen', 'trustedFolders.json'), JSON.stringify(named))
  const environment = placeOf(cwd, { HOME: home })
  const said = {
    command: 'workspace.brainstorm',
    body: 'Think.',
    args: 'A title',
    context: 'WHAT WAS SAID',
    recap: 'We were at it.',
  }
  const session = { nativeId: NATIVE_ID, cwd }
  const seed = { ...session, path: '/none', content: qwen.launch.seed({ ...session, ...said }) }
  return {
    path: join(folder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), 'chats', `${NATIVE_ID}.jsonl`),
    place: () => qwen.launch.place!(environment, seed),
  }
}

// promise: choose where a conversation
test('a project that nobody has trusted by name cannot choose where a conversation is written', () => {
  const { place, path } = chosen({})
  expect(place).toThrow(expect.objectContaining({ code: 'refused', fix: expect.stringContaining('/trust') }))
  expect(existsSync(path)).toBe(false)
})

test('in a project that the person has trusted, it is written where Qwen Code looks for it', () => {
  const { place, path } = chosen({ '.': 'TRUST_FOLDER' })
  place()
  expect(existsSync(path)).toBe(true)
})
