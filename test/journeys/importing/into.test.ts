import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listConversations } from '../../../src/journeys/finding/list.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const OLD = 'conversations/2024-03-05/001-brainstorm-old-idea'
const TEXT = '# Old idea\n\nWritten before there were sessions.\n'

function oldFolder(lab: Lab, path: string): string {
  mkdirSync(join(lab.root, path), { recursive: true })
  const document = join(lab.root, path, 'brainstorm.md')
  writeFileSync(document, TEXT)
  return document
}

// promise: `--into` also takes a folder that has a document and no session
// promise: names such folders.
test('S2-14 an old folder without a session is listed as a document, and a session can be imported into it', async () => {
  const lab = await workspaceLab()
  const document = oldFolder(lab, OLD)
  oldFolder(lab, 'brainstorm/2023-01-02/007-brainstorm-older')
  mkdirSync(join(lab.root, 'conversations/2024-03-05/002-plan-empty'))
  const { stdout, stderr } = await lab.cortext(['list', '--all'])
  expect(stderr).toContain('2 folders have a document and no session:\n')
  expect(stdout).toContain(`brainstorm/2023-01-02/007-brainstorm-older  Old idea\n${OLD}  Old idea\n`)

  const claude = new ClaudeSession(lab)
  claude.say('the idea, once more')
  const { imported } = await lab.json<{ imported: { path: string }[] }>([
    'import',
    'claude',
    claude.id,
    '--into',
    OLD,
    '--json',
  ])
  expect(imported.map(({ path }) => path)).toEqual([OLD])
  const { conversations, documents } = listConversations(openWorkspace(lab.environment))
  expect(documents).toEqual(['brainstorm/2023-01-02/007-brainstorm-older'])
  expect(conversations).toMatchObject([
    { id: '001-brainstorm-old-idea', type: 'brainstorm', title: 'Old idea', status: { status: 'paused' } },
  ])
  expect(talk(await shown(lab, 'old-idea'))).toEqual([
    'user: the idea, once more',
    'assistant: answer to the idea, once more',
  ])
  expect(readFileSync(document, 'utf8')).toBe(TEXT)
})

test('a conversation whose .session/ was deleted here is not listed as a document: this machine still knows it', async () => {
  const lab = await workspaceLab()
  const { path } = await lab.json<{ path: string }>(['start', 'plan', 'Known', '--json'])
  rmSync(join(lab.root, path, '.session'), { recursive: true })
  const { conversations, documents } = listConversations(openWorkspace(lab.environment))
  expect(documents).toEqual([])
  expect(conversations.map((one) => one.path)).toEqual([path])
})
