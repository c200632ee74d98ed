import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { addType } from '../../../src/journeys/setup/add-type.ts'
import { eject } from '../../../src/journeys/setup/eject.ts'
import { renderPack } from '../../../src/workspace/pack/index.ts'
import { tempPack, tinyClient } from '../../helpers/pack.ts'
import { tempFolder, tempRepository } from '../../helpers/repository.ts'
import { tiny, tree, world } from './install-world.ts'

describe('renderPack', () => {
  // promise: run `cortext init` again to bring the change to your clients
  test('brings an edit of .workspace/commands/ to the clients that are set up', async () => {
    const { root, run, read, has, pack, folders } = world(tempFolder())
    await run()
    eject(folders(), 'brainstorm', pack)
    const command = join(root, '.workspace/commands/workspace.brainstorm.md')
    appendFileSync(command, 'And be brief.\n')
    const changes = renderPack(folders(), [tiny, tinyClient('other')], { pack })
    expect(changes.filter(({ state }) => state === 'updated').map(({ path }) => path)).toEqual([
      '.tiny/commands/workspace.brainstorm.md',
    ])
    expect(read('.tiny/commands/workspace.brainstorm.md')).toContain('And be brief.')
    expect(has('.other')).toBe(false)
    const before = tree(root)
    expect(renderPack(folders(), [tiny], { pack }).every(({ state }) => state === 'unchanged')).toBe(true)
    expect(tree(root)).toEqual(before)
  })

  test('does nothing where init was never run', () => {
    const root = tempFolder()
    expect(renderPack({ root, local: join(root, 'local') }, [tiny], { pack: tempPack() })).toEqual([])
    expect(readdirSync(root)).toEqual([])
  })
})

describe('addType', () => {
  // promise: `/workspace.add` makes one of your own
  test('S2-12 makes command and template, registers the type and renders the command', async () => {
    const { root, env, git } = tempRepository({ 'a.txt': 'a' })
    const { run, read, pack, folders } = world(root, env)
    await run({ visibility: 'private' })
    const { type } = addType(folders(), 'interview', [tiny], { pack })
    expect(Object.keys(JSON.parse(read('.workspace/registry.json')).types)).toEqual(['interview'])
    expect(type).toMatchObject({ name: 'interview', command: '/workspace.interview', session_support: true })
    expect(read('.tiny/commands/workspace.interview.md')).toContain('Topic: $ARGUMENTS')
    expect(read('.workspace/templates/interview.md')).toContain('{{title}}')
    expect(git('status', '--porcelain')).toBe('')
  })

  test('uses existing files as they are', async () => {
    const { root, run, pack, read, folders } = world(tempFolder())
    await run()
    mkdirSync(join(root, '.workspace/commands'))
    const command = '---\ndescription: Ask well\nargument-hint: <whom>\n---\nAsk.\n'
    writeFileSync(join(root, '.workspace/commands/workspace.interview.md'), command)
    expect(addType(folders(), 'interview', [tiny], { pack }).type.description).toBe('Ask well')
    expect(read('.workspace/commands/workspace.interview.md')).toBe(command)
  })

  test('writes nothing for a name that is taken', async () => {
    const { root, run, pack, folders } = world(tempFolder())
    await run()
    const before = tree(root)
    expect(() => addType(folders(), 'brainstorm', [tiny], { pack })).toThrow(/is taken/)
    expect(tree(root)).toEqual(before)
  })
})
