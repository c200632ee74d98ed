import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { ClaudeSession } from './claude-session.ts'
import { filesBelow, type Lab } from './workspace-lab.ts'

/** The repository of a private workspace's conversations. */
export const historyOf = (lab: Lab): string => join(lab.root, '.git/cortext/conversations.git')

export function inHistory(lab: Lab, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', historyOf(lab), ...args], {
    env: lab.env,
    encoding: 'latin1',
    maxBuffer: 2 ** 30,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** Every byte of every object, whether a commit needs it or not, and of all files of the machine's side. */
export function everything(lab: Lab, { withJournals = true } = {}): string {
  const files = Object.entries(filesBelow(join(lab.root, '.git/cortext')))
  return (
    inHistory(lab, 'cat-file', '--batch-all-objects', '--batch', '--unordered') +
    JSON.stringify(files.filter(([name]) => withJournals || !name.startsWith('journal/')))
  )
}

/** A conversation in which a person said each of these words, saved. */
export async function spoken(lab: Lab, title: string, ...words: string[]) {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.plan', title)
  for (const word of words) await claude.turn(word)
  const { path } = await lab.json<{ path: string }>(['save', '--json'], { env: claude.env })
  return { claude, path, stop: () => lab.json(['stop', '--json'], { env: claude.env }) }
}
