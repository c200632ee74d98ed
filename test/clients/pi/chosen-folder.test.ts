import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pi } from '../../../src/clients/pi/index.ts'
import { placeOf, tempFolder } from '../../helpers/repository.ts'

const NATIVE_ID = '0199aaaa-bbbb-7ccc-8ddd-eeeeeeeeeeee'

/** A project whose settings choose a folder for Pi's sessions, and what `place` does with a handoff there. */
function chosen(trusted: boolean) {
  const [home, cwd, folder] = [tempFolder(), tempFolder(), tempFolder()]
  mkdirSync(join(cwd, '.pi'))
  mkdirSync(join(home, '.pi', 'agent'), { recursive: true })
  writeFileSync(join(cwd, '.pi', 'settings.json'), JSON.stringify({ sessionDir: folder }))
  writeFileSync(join(home, '.pi', 'agent', 'trust.json'), JSON.stringify({ [cwd]: trusted }))
  const environment = placeOf(cwd, { HOME: home })
  const said = {
    command: 'workspace.brainstorm',
    body: 'Think.',
    args: 'A title',
    context: 'WHAT WAS SAID',
    recap: 'We were at it.',
  }
  const session = { nativeId: NATIVE_ID, cwd }
  const seed = { ...session, path: '/none', content: pi.launch.seed({ ...session, ...said }) }
  return {
    path: join(folder, `2000-01-01T00-00-00-000Z_${NATIVE_ID}.jsonl`),
    place: () => pi.launch.place!(environment, seed),
  }
}

// promise: choose where a conversation is written that goes to a client: where a project's own settings
test('a project that nobody trusts cannot choose where a conversation is written', () => {
  const { place, path } = chosen(false)
  expect(place).toThrow(
    expect.objectContaining({ code: 'refused', fix: expect.stringContaining('you trust it') }),
  )
  expect(existsSync(path)).toBe(false)
})

test('in a project that the person trusts, it is written where Pi looks for it', () => {
  const { place, path } = chosen(true)
  place()
  expect(existsSync(path)).toBe(true)
})
