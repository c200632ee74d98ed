import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Client } from '../../../src/clients/contract/client.ts'
import { renderCommands } from '../../../src/workspace/pack/index.ts'
import { readManifest } from '../../../src/workspace/pack/manifest.ts'
import { tempPack, tinyClient } from '../../helpers/pack.ts'
import { tempFolder } from '../../helpers/repository.ts'
import { tree } from '../../journeys/setup/install-world.ts'

/** A client that needs files at these paths, in folders that it names. */
function needing(id: string, folders: string[], ...paths: string[]): Client {
  const client = tinyClient(id)
  const files = () => paths.map((path) => ({ path, content: 'needed' }))
  return { ...client, pack: { ...client.pack, folders, files } }
}

/** A pack with no command, so that a client has only the files that it needs. */
function withoutCommands(): string {
  const pack = tempPack()
  rmSync(join(pack, 'commands'), { recursive: true })
  return pack
}

test.each([
  ['../x', ['..']],
  ['/etc/x', ['/etc']],
  ['.agents/../x', ['.agents']],
  ['.agents\\x', ['.agents']],
  ['.agents/x', ['.other']],
  ['.agents', ['.agents']],
  ['.git/hooks/x', ['.git']],
  ['.GIT/hooks/x', ['.GIT']],
  ['.workspace/x', ['.workspace']],
  ['conversations/x', ['conversations']],
])('a file is not rendered to %j', (path, folders) => {
  const root = tempFolder()
  const before = tree(root)
  const clients = [tinyClient(), needing('odd', folders, path)]
  expect(() =>
    renderCommands(root, clients, readManifest(root, join(root, 'local')), withoutCommands()),
  ).toThrow(expect.objectContaining({ code: 'unsafe-path' }))
  expect(tree(root)).toEqual(before)
})

test('a file that two clients share stays until neither has it', () => {
  const root = tempFolder()
  const manifest = readManifest(root, join(root, 'local'))
  const shared = '.agents/skills/it/SKILL.md'
  const render = (...clients: Client[]) => renderCommands(root, clients, manifest, withoutCommands())
  const [a, b] = [needing('a', ['.agents/skills'], shared), needing('b', ['.agents/skills'], shared)]
  expect(render(a, b).map(({ path, state }) => [path, state])).toEqual([
    [shared, 'made'],
    [shared, 'unchanged'],
  ])
  expect(render(needing('a', ['.agents/skills']))).toEqual([])
  expect(manifest.rendered).toEqual({ a: {}, b: { [shared]: expect.any(String) } })
  expect(existsSync(join(root, shared))).toBe(true)
  expect(render(needing('b', ['.agents/skills']))).toEqual([{ path: shared, state: 'removed' }])
  expect(existsSync(join(root, shared))).toBe(false)
})
