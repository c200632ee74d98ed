import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addType } from '../../../src/journeys/setup/add-type.ts'
import { tempFolder, tempRepository } from '../../helpers/repository.ts'
import { tiny, world } from './install-world.ts'

describe('uninstall', () => {
  test('E-30 keeps and names what the person edited, and the conversations', async () => {
    const { root, run, remove, read, has, pack, folders } = world(tempFolder())
    await run()
    writeFileSync(join(root, '.workspace/memory/constitution.md'), 'me\n')
    addType(folders(), 'interview', [tiny], pack)
    mkdirSync(join(root, 'conversations/2026-11-21/001-plan-x'), { recursive: true })
    const { changes } = remove()
    const kept = changes.filter(({ state }) => state === 'kept').map(({ path }) => path)
    expect(kept.sort()).toEqual([
      '.workspace/commands/workspace.interview.md',
      '.workspace/memory/constitution.md',
      '.workspace/registry.json',
      '.workspace/templates/interview.md',
    ])
    expect(read('.workspace/memory/constitution.md')).toBe('me\n')
    expect(has('conversations/2026-11-21/001-plan-x')).toBe(true)
    expect([has('.tiny'), has('.workspace/pack.json'), has('.gitignore')]).toEqual([false, false, false])
  })

  test('settings edited since lose our entries only, in their own shape', async () => {
    const { root, run, remove, read } = world(tempFolder())
    await run()
    writeFileSync(
      join(root, '.tiny/settings.json'),
      '{\n\t"hooks": {"Stop": ["cortext hook tiny", "mine"]},\n\t"x": 1\n}',
    )
    remove()
    expect(read('.tiny/settings.json')).toBe(
      '{\n\t"x": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t"mine"\n\t\t]\n\t}\n}',
    )
  })

  test('settings that are broken by now are kept and named', async () => {
    const { root, run, remove } = world(tempFolder())
    await run()
    writeFileSync(join(root, '.tiny/settings.json'), '{')
    expect(remove().changes).toContainEqual(
      expect.objectContaining({
        path: '.tiny/settings.json',
        state: 'kept',
        note: expect.stringContaining('JSON'),
      }),
    )
  })

  test('the journal of unpublished turns stays, caches go', async () => {
    const { root, env } = tempRepository({ 'a.txt': 'a' })
    const { run, remove, has } = world(root, env)
    await run()
    for (const path of ['journal/claude', 'bindings', 'contexts'])
      mkdirSync(join(root, '.git/cortext', path), { recursive: true })
    const { journal } = remove(true)
    expect(journal).toBe(join(root, '.git/cortext/journal'))
    expect(['journal', 'bindings', 'contexts'].map((name) => has(`.git/cortext/${name}`))).toEqual([
      true,
      true,
      false,
    ])
    expect(() => remove()).toThrow(/no workspace/)
  })
})
