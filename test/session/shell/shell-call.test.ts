import { describe, expect, test } from 'vitest'
import { commandIn, folderOf, patchInCommand } from '../../../src/session/shell/shell-call.ts'

describe('the command of an argument', () => {
  test.each<[unknown, string | undefined]>([
    ['npm test', 'npm test'],
    [['bash', '-lc', 'npm test && git push'], 'npm test && git push'],
    [['/bin/zsh', '-c', 'ls "a b"'], 'ls "a b"'],
    [['powershell.exe', '-NoProfile', '-Command', 'npm test'], 'npm test'],
    [['cmd', '/c', 'dir'], 'dir'],
    [['bash', 'run.sh'], 'bash run.sh'],
    [['git', 'commit', '-m', "It's done; now"], "git commit -m 'It'\\''s done; now'"],
    ['', undefined],
    [[], undefined],
    [['ls', 1], undefined],
    [{ cmd: 'ls' }, undefined],
  ])('%j is %j', (given, command) => {
    expect(commandIn(given)).toBe(command)
  })
})

describe('a patch in a shell command', () => {
  const patch = '*** Begin Patch\n*** Update File: src/a.ts\n@@\n-a\n+b\n*** End Patch'

  test('is read from a here-document and from an argument', () => {
    expect(patchInCommand(`apply_patch << 'PATCH'\n${patch}\nPATCH\nrm b`, {})).toBe(patch)
    expect(patchInCommand(commandIn(['apply_patch', patch]), {})).toBe(patch)
    expect(patchInCommand('apply_patch --help', {})).toBeUndefined()
    expect(patchInCommand('cat notes', {})).toBeUndefined()
  })

  test('names its files from the folder in which it runs, and is left out if that folder is not known', () => {
    const run = (before: string, given: object = {}) =>
      /File: (.*)/.exec(patchInCommand(`${before}apply_patch <<'E'\n${patch}\nE`, given) ?? '')?.[1]
    expect(run('cd web && ')).toBe('web/src/a.ts')
    expect(run('', { workdir: '/work/app/' })).toBe('/work/app/src/a.ts')
    expect(run('cd /b; cd c && ', { workdir: '/work/app' })).toBe('/b/c/src/a.ts')
    expect(run('cd "$DIR" && ')).toBeUndefined()
  })
})

test('the folder of a command is where its earlier parts have gone', () => {
  expect(folderOf('echo cd /a; cd b && ', { workdir: 'C:\\app' })).toBe('C:\\app/b')
  expect(folderOf('cd ~ && ', {})).toBeUndefined()
  expect(folderOf('', { workdir: 3 })).toBe('')
})
