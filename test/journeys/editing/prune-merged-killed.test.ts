import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { archives, asked, bytes, ID, linesIn, long, prune, restore } from '../../helpers/long-conversation.ts'
import { ended, type Lab, recordLines, sessionFile } from '../../helpers/workspace-lab.ts'

describe('pruning with git', () => {
  const committed = async () => {
    const { lab, claude, path } = await long()
    await lab.json(['stop', ID, '--json'])
    lab.git('add', '--all')
    lab.git('commit', '--quiet', '--message=all')
    const clone = join(lab.root, '..', 'clone')
    lab.git('clone', '--quiet', lab.root, clone)
    return { lab, claude, path, clone }
  }
  const commit = (lab: Lab, cwd: string) => {
    lab.git('-C', cwd, 'add', '--all')
    lab.git('-C', cwd, 'commit', '--quiet', '--message=more')
  }

  test('E-21: a merge with a clone that did not prune and continued has nothing twice, loses nothing, and can be restored whole', async () => {
    const { lab, path, clone } = await committed()
    const before = recordLines(lab, path)
    await prune(lab, '--keep', '1', '--yes')
    commit(lab, lab.root)
    const there = new ClaudeSession(lab, clone)
    await there.command('workspace.resume', ID, () =>
      lab.cortext(['agent', 'resume', ID], { cwd: clone, env: there.env }),
    )
    await there.turn('said there')
    await lab.json(['stop', ID, '--json'], { cwd: clone })
    lab.tryGit('pull', '--quiet', '--no-rebase', '--no-edit', clone, 'trunk')
    expect(await asked(lab)).toEqual(['turn 6', 'said there'])
    await lab.json(['save', ID, '--json'])
    expect(await asked(lab)).toEqual(['turn 6', 'said there'])
    await prune(lab, '--keep', '1', '--yes')
    expect(await asked(lab)).toEqual(['said there'])
    await restore(lab)
    const lines = recordLines(lab, path)
    expect(lines.filter((line) => before.includes(line)).sort()).toEqual([...before].sort())
    expect(await asked(lab)).toEqual([
      '/workspace.brainstorm Long',
      ...[1, 2, 3, 4, 5, 6].map((n) => `turn ${n}`),
      'said there',
    ])
  })

  test('E-21: two clones that pruned differently merge: every line is in one of the files, and is restored once', async () => {
    const { lab, path, clone } = await committed()
    const before = recordLines(lab, path)
    await prune(lab, '--keep', '4', '--yes')
    commit(lab, lab.root)
    await lab.json(['prune', ID, '--keep', '2', '--yes', '--json'], { cwd: clone })
    commit(lab, clone)
    lab.tryGit('pull', '--quiet', '--no-rebase', '--no-edit', clone, 'trunk')
    expect(archives(lab, path)).toHaveLength(2)
    expect(await asked(lab)).toEqual(['turn 5', 'turn 6'])
    await restore(lab)
    expect(recordLines(lab, path).sort()).toEqual([...before].sort())
    expect(await asked(lab)).toHaveLength(7)
  })

  test('after a git reset to before the prune everything is there again, and the next prune tidies what was left', async () => {
    const { lab, path } = await committed()
    const before = bytes(lab, path)
    await prune(lab, '--keep', '1', '--yes')
    lab.git('reset', '--quiet', '--hard')
    expect(archives(lab, path)).toHaveLength(1)
    expect(await asked(lab)).toHaveLength(7)
    await restore(lab)
    expect([bytes(lab, path), archives(lab, path)]).toEqual([before, []])
  })

  test('without its archive, as in a clone that does not have it, the rest is read, and the missing part is reported', async () => {
    const { lab, path } = await committed()
    await prune(lab, '--keep', '1', '--yes')
    rmSync(join(lab.root, path, '.session/archive'), { recursive: true })
    rmSync(join(lab.root, '.git/cortext'), { recursive: true })
    const run = await lab.cortext(['show', ID, '--messages'])
    expect(run.stdout).toContain('turn 6')
    expect(run.stderr).toContain('messages.jsonl:1: archive-missing')
    const restored = await lab.cortext(['prune', ID, '--restore'])
    expect(restored.stderr).toContain('Cannot be restored, because it is not here')
  })
})

describe('pruning that is killed', () => {
  test('E-16, E-22, S4-DP1: SIGKILL at any moment of a prune or a restore loses nothing, and the next call does what is left', async () => {
    const { lab, path } = await long(40)
    const before = bytes(lab, path)
    const all = recordLines(lab, path).sort()
    let killed = 0
    for (let round = 0; round < 16; round++) {
      const args = round % 4 === 3 ? ['--restore'] : ['--keep', String(1 + (round % 3) * 12), '--yes']
      const child = lab.begin(['prune', ID, ...args])
      const run = ended(child)
      await sleep(60 + round * 17)
      child.kill('SIGKILL')
      if ((await run).code === null) killed += 1
      const lines = [
        recordLines(lab, path),
        ...archives(lab, path).map((name) => linesIn(lab, path, name)),
      ].flat()
      expect([...new Set(lines.filter((line) => !line.includes('"event":"pruned"')))].sort()).toEqual(all)
      expect((await asked(lab)).length).toBeGreaterThan(0)
      if (round % 2 === 0) continue
      await lab.json(['save', ID, '--json'])
      const said = recordLines(lab, path)
        .map((line) => JSON.parse(line))
        .filter(({ role, event }) => role !== 'tool' && event === undefined)
      expect(JSON.parse(readFileSync(sessionFile(lab, path), 'utf8')).message_count).toBe(said.length)
    }
    expect(killed).toBeGreaterThan(0)
    // The last one that came through may have left one turn only.
    await restore(lab)
    await prune(lab, '--keep', '2', '--yes')
    expect(await asked(lab)).toEqual(['turn 39', 'turn 40'])
    await restore(lab)
    expect([bytes(lab, path), archives(lab, path)]).toEqual([before, []])
  })

  test('E-17: prunes, restores and saves at the same moment lose nothing while the client writes', async () => {
    const { lab, claude, path } = await long()
    const work = [
      ...Array.from({ length: 4 }, () => ['prune', ID, '--keep', '2', '--yes']),
      ...Array.from({ length: 2 }, () => ['prune', ID, '--restore']),
      ...Array.from({ length: 4 }, () => ['save', ID]),
    ].map((args) => lab.json([...args, '--json']))
    for (let number = 0; number < 30; number++) {
      claude.say(`more ${number}`)
      await sleep(20)
    }
    await Promise.all(work)
    await restore(lab)
    const said = ['/workspace.brainstorm Long', ...[1, 2, 3, 4, 5, 6].map((n) => `turn ${n}`)]
    expect(await asked(lab)).toEqual([...said, ...Array.from({ length: 30 }, (_, n) => `more ${n}`)])
    const ids = recordLines(lab, path).map((line) => (JSON.parse(line) as { id: string }).id)
    expect(new Set(ids).size).toBe(ids.length)
  })
})
