import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { filesBelow, type Lab, saved, shown, talk, workspaceLab } from '../helpers/workspace-lab.ts'

/** What macOS and Windows do to files, on any system; docs/systems.md names these tests. */

/** As git writes them into the work tree where `core.autocrlf` is true. */
function withCrlf(lab: Lab, isMeant: (path: string) => boolean): string[] {
  const paths = readdirSync(lab.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/.git/') && isMeant(path))
  for (const path of paths)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'))
  return paths
}

describe('line breaks of Windows', () => {
  test('in a record are read as its own, and the next save appends to it', async () => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    await lab.json(['save', '001', '--json'])
    const before = talk(await shown(lab, '001'))
    expect(withCrlf(lab, (path) => path.includes('.session')).length).toBeGreaterThan(1)
    expect(talk(await shown(lab, '001'))).toEqual(before)
    await claude.turn('two')
    await lab.json(['stop', '001', '--no-commit', '--json'])
    expect(talk(await shown(lab, '001'))).toEqual([...before, 'user: two', 'assistant: answer to two'])
    expect((await lab.cortext(['doctor'])).stdout).toContain('1 conversation, all readable')
  })

  test('do not reach a record: a clone with core.autocrlf has the bytes that were committed', async () => {
    const lab = await workspaceLab()
    const { path } = await saved(lab, 'plan', 'Line breaks')
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    lab.git('clone', '--quiet', '--config', 'core.autocrlf=true', lab.root, join(lab.home, 'clone'))
    const record = (root: string) => filesBelow(join(root, path, '.session'))
    expect(record(join(lab.home, 'clone'))).toEqual(record(lab.root))
    expect(readFileSync(join(lab.home, 'clone', '.gitignore'), 'utf8')).toContain('\r\n')
  })

  test('in what init wrote are no edits of a person: init changes nothing, and uninstall takes it back', async () => {
    const lab = await workspaceLab({ init: 'none' })
    writeFileSync(join(lab.root, '.gitignore'), 'mine\r\n')
    await lab.json(['init', '--shared', '--json'])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    withCrlf(lab, () => true)
    lab.git('config', 'core.autocrlf', 'true')
    const { changes } = await lab.json<{ changes: { path: string; state: string }[] }>(['init', '--json'])
    expect(changes.filter(({ state }) => state !== 'unchanged')).toEqual([])
    await lab.cortext(['uninstall'])
    const left = Object.keys(filesBelow(lab.root)).filter((path) => !path.startsWith('.git/'))
    expect(left).toEqual(['.gitignore'])
    expect(readFileSync(join(lab.root, '.gitignore'), 'utf8')).toBe('mine\r\n')
  })
})

describe('names of macOS', () => {
  const composed = 'Grüße'.normalize('NFC')

  test('in their long form (NFD) are the words that a person types in the short one', async () => {
    const lab = await workspaceLab()
    const { id } = await saved(lab, 'plan', composed.normalize('NFD'))
    expect(id).toBe('001-plan-gruesse'.replace('ue', 'u'))
    const { stdout } = await lab.cortext(['show', composed])
    expect(stdout).toContain(id)
  })

  test('a temporary folder behind a link (/tmp is /private/tmp) is the same workspace by both paths', async () => {
    const lab = await workspaceLab()
    const link = join(lab.home, 'tmp')
    symlinkSync(lab.root, link)
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', 'API')
    await claude.turn('one')
    const list = (cwd: string) => lab.json(['list', '--all', '--json'], { cwd })
    expect(await list(link)).toEqual(await list(lab.root))
    await lab.json(['stop', '001', '--no-commit', '--json'], { cwd: link })
    expect(talk(await shown(lab, '001')).at(-1)).toBe('assistant: answer to one')
  })
})
