import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { commandHash } from '../../../src/workspace/pack/commands.ts'
import { renderPack } from '../../../src/workspace/pack/index.ts'
import { gitEnv, tempFolder } from '../../helpers/repository.ts'
import { tiny, tree, world } from '../../journeys/setup/install-world.ts'

const PROFILE = 'export PATH=$HOME/bin:$PATH\n'
const HASH = commandHash(PROFILE)

/** A workspace in a repository beside a home, with a manifest of a stranger, as an archive may bring it. */
async function planted(change: (manifest: Manifest) => void) {
  const base = tempFolder()
  const [home, root] = [join(base, 'home'), join(base, 'project')]
  for (const folder of [home, root, join(base, 'empty')]) mkdirSync(folder)
  execFileSync('git', ['init', '--quiet'], { cwd: root })
  const profile = join(home, '.profile')
  writeFileSync(profile, PROFILE)
  const one = world(root, gitEnv(home))
  await one.run()
  const file = join(one.folders().local, 'manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  change(manifest)
  writeFileSync(file, JSON.stringify(manifest))
  return { ...one, base, profile, file }
}

interface Manifest {
  files: Record<string, string>
  rendered: Record<string, Record<string, string>>
  settings: Record<string, object>
  folders: string[]
}

describe('the manifest of a stranger', () => {
  test('with a link in the place of a command and the hash of its target does not change the target', async () => {
    const path = '.tiny/commands/workspace.brainstorm.md'
    const { root, run, profile, pack, folders } = await planted(({ rendered }) => {
      rendered.tiny![path] = HASH
    })
    rmSync(join(root, path))
    symlinkSync(profile, join(root, path))
    const before = tree(root)
    const refused = expect.objectContaining({
      code: 'unsafe-path',
      message: expect.stringContaining(join(root, path)),
      fix: expect.stringContaining('ls -ld'),
    })
    await expect(run()).rejects.toEqual(refused)
    expect(() => renderPack(folders(), [tiny], { pack })).toThrow(refused)
    expect(tree(root)).toEqual(before)
    expect(readFileSync(profile, 'utf8')).toBe(PROFILE)
  })

  // promise: remove only what this machine has noted to have written, or what they would write word
  test('with keys that lead out of the workspace removes nothing outside, by init or uninstall', async () => {
    const way = '../home/.profile'
    const { base, run, remove, has } = await planted(({ rendered, files, folders }) => {
      rendered.tiny![way] = HASH
      rendered.other = { [way]: HASH }
      files[`.workspace/commands/../../${way}`] = HASH
      files[way] = HASH
      folders.push('../empty', join(process.cwd(), 'nowhere'), '.git/refs/tags', way)
    })
    const profile = () => readFileSync(join(base, 'home/.profile'), 'utf8')
    const before = profile()
    await run()
    remove()
    expect(profile()).toBe(before)
    expect([existsSync(join(base, 'empty')), has('.git/refs/tags')]).toEqual([true, true])
  })

  // promise: have a file removed.
  // promise: remove only what this machine
  test("a person's own file that it names is not removed, and is reported", async () => {
    const path = '.tiny/commands/deploy.md'
    const { root, run, remove } = await planted(({ rendered }) => {
      rendered.tiny![path] = HASH
    })
    writeFileSync(join(root, path), PROFILE)
    const { changes } = await run()
    expect(changes).toContainEqual({
      path,
      state: 'kept',
      note: `not made on this machine; if you do not want it: rm ${join(root, path)}`,
    })
    remove()
    expect(readFileSync(join(root, path), 'utf8')).toBe(PROFILE)
  })

  test('a file that it calls the original of a settings file is not read', async () => {
    const { root, base, remove, file } = await planted(({ settings }) => {
      for (const entry of Object.values(settings))
        Object.assign(entry, { original: 'sha256:../../../../secret' })
    })
    writeFileSync(join(base, 'secret'), '{"token": "canary"}')
    expect(() => remove()).toThrow(expect.objectContaining({ code: 'corrupt' }))
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    const original = `sha256:${'a'.repeat(64)}`
    for (const entry of Object.values(manifest.settings)) Object.assign(entry as object, { original })
    writeFileSync(file, JSON.stringify(manifest))
    mkdirSync(join(root, '.git/cortext/originals'), { recursive: true })
    writeFileSync(join(root, '.git/cortext/originals', 'a'.repeat(64)), '{"token": "canary"}')
    remove()
    expect(JSON.stringify(tree(root))).not.toContain('canary')
  })

  test("its keys add no further lines to git's exclude file", async () => {
    const { run, read } = await planted(({ rendered }) => {
      rendered.other = { 'x\nevil': HASH, 'plain/name': HASH }
    })
    await run({ visibility: 'private' })
    expect(read('.git/info/exclude').split('\n')).toContain('/plain/name')
    expect(read('.git/info/exclude').split('\n')).not.toContain('evil')
  })
})

test('a file that this machine wrote is removed when the pack no longer has it; one from another machine stays and is reported', async () => {
  const { root, run, has, pack, folders } = world(tempFolder())
  const path = '.tiny/commands/workspace.resume.md'
  await run()
  const { local } = folders()
  const manifest = readFileSync(join(local, 'manifest.json'))
  const text = readFileSync(join(root, path))
  rmSync(join(pack, 'commands/workspace.resume.md'))
  expect((await run({ pack })).changes).toContainEqual({ path, state: 'removed' })

  // As in an archive from another machine.
  rmSync(join(local, 'written'))
  writeFileSync(join(local, 'manifest.json'), manifest)
  writeFileSync(join(root, path), text)
  const kept = (await run({ pack })).changes.filter(({ state }) => state === 'kept')
  expect(kept.map(({ path, note }) => [path, note?.split(';')[0]])).toEqual([
    [path, 'not made on this machine'],
  ])
  expect(has(path)).toBe(true)
})

// promise: remove only what this machine
test('of a workspace that another machine made, or of which the manifest is lost, uninstall removes the files that we would write the same', async () => {
  const { root, remove, run, folders } = world(
    tempFolder(),
    undefined,
    new URL('../../..', import.meta.url).pathname,
  )
  await run()
  rmSync(folders().local, { recursive: true })
  remove()
  expect(Object.keys(tree(root)).filter((path) => !path.endsWith('/'))).toEqual(['.tiny/settings.local.json'])
})
