import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asTyped } from './as-typed.ts'
import { openLab } from './claude.ts'
import { allText } from './model-request.ts'

describe('bare cortext in a folder without a workspace', () => {
  it("S4-P4-13, S4-P4-5: lists Claude Code's own sessions of it, goes on with the one that is chosen, and writes nothing", async () => {
    await using lab = await openLab()
    writeFileSync(join(lab.project, 'file'), '')
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: lab.project, env: lab.env, encoding: 'utf8' })
    git('add', '--all')
    git('commit', '--quiet', '--message', 'first')
    await lab.headless(['How do we name endpoints?'])
    await lab.headless(['Why are the tests slow?'])
    asTyped(lab.home)
    const before = { git: listing(join(lab.project, '.git')), project: listing(lab.project) }

    const table = await lab.run(['cortext'])
    expect(table.stdout).toMatch(/claude .* Why are the tests slow\?\n.*claude .* How do we name endpoints\?/)
    const terminal = lab.terminal(['cortext'])
    const screen = await terminal.waitFor('How do we name endpoints?')
    expect(screen).toMatch(/Why are the tests slow\? +not saved +\S.* Claude Code/)
    terminal.type('endpoints')
    // The picker takes Enter for what it has found by then.
    await terminal.waitFor((shown) => !shown.includes('Why are the tests slow?'))
    terminal.press('Enter')
    await terminal.waitFor(/^─+\n❯/m)
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 3.')
    await terminal.submit('/exit')
    expect(await terminal.waitForExit()).toBe(0)

    const received = allText(lab.model.requests[2]!)
    expect(received).toContain('How do we name endpoints?')
    expect(received).toContain('Scripted answer 1.')
    expect(received).not.toContain('Why are the tests slow?')
    expect(git('status', '--porcelain', '--untracked-files=all')).toBe('')
    expect({ git: listing(join(lab.project, '.git')), project: listing(lab.project) }).toEqual(before)
    for (const path of ['.workspace', '.claude', '.git/cortext'])
      expect(existsSync(join(lab.project, path))).toBe(false)
    expect(lab.transcripts()).toHaveLength(2)
  })
})

function listing(folder: string): string[] {
  return readdirSync(folder).sort()
}
