import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addType } from '../../../src/journeys/setup/add-type.ts'
import { eject } from '../../../src/journeys/setup/eject.ts'
import { tempFolder, tempRepository } from '../../helpers/repository.ts'
import { tiny, world } from './install-world.ts'

describe('uninstall', () => {
  test.each([
    ['private', {}],
    ['private', { '.workspace/config.json': '{"visibility": "private", "author": false}' }],
    ['shared', {}],
  ] as const)(
    'shows git nothing that it did not see before, in a %s workspace: %j',
    async (visibility, edits) => {
      const { root, env, git, write } = tempRepository({ 'a.txt': 'a' })
      const { run, remove } = world(root, env)
      await run({ visibility })
      for (const [path, text] of Object.entries({ ...EDITED, ...edits })) write(path, text)
      if (visibility === 'shared') {
        git('add', '--all')
        git('commit', '--quiet', '--message=all')
      }
      const { hidden } = remove()
      const seen = git('status', '--porcelain', '--untracked-files=all').split('\n').filter(Boolean)
      expect(seen.filter((line) => line.startsWith('??'))).toEqual([])
      if (visibility === 'shared') return
      expect(seen).toEqual([])
      expect(hidden).toEqual(expect.arrayContaining(['.workspace/', 'conversations/']))
      // A person who begins anew has one block of ours, not two.
      await run({ visibility })
      expect(readFileSync(join(root, '.git/info/exclude'), 'utf8').match(/>>> cortext/g)).toHaveLength(1)
    },
  )

  const EDITED = {
    '.workspace/memory/constitution.md': 'what I think of my employer\n',
    '.tiny/commands/workspace.brainstorm.md': 'edited\n',
    'conversations/2026-11-21/001-plan-x/plan.md': '# X\n',
    'conversations/2026-11-21/001-plan-x/.session/attachments/abc': 'a long output with a secret\n',
  }

  // promise: takes back everything that `init` wrote, and leaves the conversations
  // promise: The conversations stay, and what you edited.
  test('E-30 keeps and names what the person edited, and the conversations', async () => {
    const { root, run, remove, read, has, pack, folders } = world(tempFolder())
    await run()
    eject(folders(), 'constitution', pack)
    writeFileSync(join(root, '.workspace/memory/constitution.md'), 'me\n')
    addType(folders(), 'interview', [tiny], { pack })
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
    expect([has('.tiny'), has('.workspace/config.json'), has('.gitignore')]).toEqual([false, false, false])
  })

  // promise: Hooks are added to
  test('removes only our entries from settings that were edited since, in their own format', async () => {
    const { root, run, remove, read } = world(tempFolder())
    await run()
    writeFileSync(
      join(root, '.tiny/settings.local.json'),
      '{\n\t"hooks": {"Stop": ["cortext hook tiny", "mine"]},\n\t"x": 1\n}',
    )
    remove()
    expect(read('.tiny/settings.local.json')).toBe(
      '{\n\t"x": 1,\n\t"hooks": {\n\t\t"Stop": [\n\t\t\t"mine"\n\t\t]\n\t}\n}',
    )
  })

  test('keeps and names settings that are now broken', async () => {
    const { root, run, remove } = world(tempFolder())
    await run()
    writeFileSync(join(root, '.tiny/settings.local.json'), '{')
    expect(remove().changes).toContainEqual(
      expect.objectContaining({
        path: '.tiny/settings.local.json',
        state: 'kept',
        note: expect.stringContaining('JSON'),
      }),
    )
  })

  test('keeps the journal of unpublished turns, and removes caches', async () => {
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
