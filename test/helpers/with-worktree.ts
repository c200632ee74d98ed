import { join } from 'node:path'
import { type Lab, workspaceLab } from './workspace-lab.ts'

/** A private workspace with a linked worktree in which nothing of ours has run yet. */
export async function withWorktree(place = '../project-worktree'): Promise<{ lab: Lab; there: Lab }> {
  const lab = await workspaceLab({ init: 'none' })
  await lab.json(['init', '--private', '--in', 'claude', 'gemini', '--json'])
  const root = join(lab.root, place)
  lab.git('worktree', 'add', '--quiet', root)
  const at = <T extends { cwd?: string }>(more?: T) => ({ cwd: root, ...more })
  const there: Lab = {
    ...lab,
    root,
    environment: { ...lab.environment, cwd: root },
    git: (...args) => lab.git('-C', root, ...args),
    cortext: (args, more) => lab.cortext(args, at(more)),
    begin: (args, more) => lab.begin(args, at(more)),
    json: (args, more) => lab.json(args, at(more)),
  }
  return { lab, there }
}
