import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { ejected } from '../helpers/ejected.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

const ID = '001-brainstorm-api-design'

describe('a verb that only reads leaves every file as it was, bytes and times, in the project, its .git and the home', () => {
  test.each([
    [['resume', ID, '--print']],
    [['resume', ID, '--dry-run']],
    [['resume', ID, '--print', '--json', '--full']],
    [['resume', ID, '--dry-run', '--json', '--in', 'opencode']],
    [['resume', 'last words', '--dry-run', '--in', 'gemini']],
  ])('%s, of a session that has gone quiet with words that no hook has seen', async (args) => {
    const { lab, claude } = await unpublished()
    // A pause would be due, which publishes.
    const longAgo = new Date(Date.now() - 3_600_000)
    utimesSync(claude.transcript, longAgo, longAgo)
    const before = await still(lab)
    const { code, stdout, stderr } = await lab.cortext(args)
    expect(code, stderr).toBe(0)
    if (args.includes('--print')) expect(stdout).toContain('The last words that no hook has seen')
    expect(stdout + stderr).toContain('The instructions of /workspace.brainstorm have changed')
    expect(allFiles(lab)).toEqual(before)
  })

  test.each([
    [['show', ID, '--messages']],
    [['context', ID]],
    [['context', ID, '--compare']],
    [['export', ID]],
    [['list']],
    [['search', 'last words']],
    [['prune', ID, '--keep', '1', '--json']],
  ])('%s, but for the caches', async (args) => {
    const { lab } = await unpublished()
    const before = withoutCaches(await still(lab))
    const { code, stdout, stderr } = await lab.cortext(args)
    expect(code, stderr).toBe(0)
    if (['--messages', 'export', 'search'].some((word) => args.includes(word)))
      expect(stdout).toContain('last words that no hook has seen')
    expect(withoutCaches(allFiles(lab))).toEqual(before)
  })
})

test('the next save still publishes a session that was only printed before', async () => {
  const { lab } = await unpublished()
  const printed = await lab.cortext(['resume', ID, '--print'])
  expect(printed.stdout).toContain('The last words that no hook has seen')
  const { path } = await lab.json<{ path: string }>(['save', ID, '--json'])
  expect(readFileSync(join(lab.root, path, '.session/messages.jsonl'), 'utf8')).toContain('The last words')
})

/** A conversation that goes on: some of it is saved, some is in the journal, some is in the transcript alone. */
async function unpublished() {
  const lab = await workspaceLab({ begun: { name: 'unpublished', by: talkUnpublished } })
  return { lab, claude: ClaudeSession.inLab(lab) }
}

async function talkUnpublished(lab: Lab): Promise<void> {
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API Design')
  await claude.turn('REST or GraphQL?')
  await lab.json(['save', ID, '--json'])
  await claude.turn('Then REST it is')
  claude.say('The last words that no hook has seen')
  const side = join(dirname(claude.transcript), claude.id, 'tool-results')
  appendSide(side)
  appendFileSync(ejected(lab.root, 'commands/workspace.brainstorm.md'), '\nBe brief.\n')
}

function appendSide(folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'out.txt'), 'moved out of the transcript')
}

/** All files when whoever reads them may index them. */
async function still(lab: Lab): Promise<Record<string, string>> {
  for (const name of ['index.json', 'binding-index.json'])
    rmSync(join(lab.root, '.git/cortext', name), { force: true })
  await sleep(2100)
  return allFiles(lab)
}

/** By path: bytes and time. Git refreshes its index by itself. */
function allFiles({ home, root }: Lab): Record<string, string> {
  return Object.fromEntries(
    [home, root]
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, withFileTypes: true })
          .filter((entry) => !entry.isDirectory())
          .map((entry) => join(entry.parentPath, entry.name)),
      )
      .filter((path) => !path.endsWith('/.git/index'))
      .sort()
      .map((path) => [path, `${statSync(path, { bigint: true }).mtimeNs} ${readFileSync(path, 'latin1')}`]),
  )
}

function withoutCaches(files: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).filter(
      ([path]) => !/\/(binding-)?(index|unkept)\.json$|\/(branches|merge-checks|unpublished)\//.test(path),
    ),
  )
}
