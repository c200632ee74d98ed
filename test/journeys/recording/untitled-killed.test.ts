import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const DYING = fileURLToPath(new URL('../../helpers/dying.cjs', import.meta.url))

test.each([
  'cache-the-prices$',
  'cache-the-prices/.session/session.json$',
  'metadata/.*cache-the-prices[^/~]*$',
])(
  'a stop that is killed while it names the folder after the title leaves one conversation: behind %s',
  async (where) => {
    const lab = await workspaceLab({ init: 'private' })
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.brainstorm', '')
    await claude.turn('cache the prices')
    const env = { NODE_OPTIONS: `--require ${DYING}`, DIE_BEHIND: where }
    expect((await lab.cortext(['stop', '001'], { env })).code).toBeNull()
    await lab.json(['save', '001', '--json'])
    await lab.json(['stop', '001', '--json'])
    const { conversations } = await lab.json<{ conversations: { path: string }[] }>([
      'list',
      '--all',
      '--json',
    ])
    expect(conversations).toHaveLength(1)
    expect(conversations[0]?.path).toMatch(/cache-the-prices$/)
    expect(talk(await shown(lab, '001'))).toContain('user: cache the prices')
  },
)
