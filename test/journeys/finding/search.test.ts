import { beforeEach, describe, expect, test } from 'vitest'
import { search } from '../../../src/journeys/finding/search.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'

describe('E-13 a word that was said in five messages', () => {
  let lab: Lab
  beforeEach(async () => {
    lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.debug', 'Topic')
    claude.say(`${'far before '.repeat(10)}Zebra${' far behind'.repeat(10)}`, 'a zebra')
    claude.say('one zebra', 'two zebras')
    claude.say('the last zebra', 'Nothing.')
    await lab.json(['stop', '001', '--json'])
  })

  test('shows three of them, with what stands around it, and counts all', async () => {
    const [hit] = await search(openWorkspace(lab.environment), 'zebra')
    expect(hit).toMatchObject({ title: 'Topic', type: 'debug', inMetadata: true, total: 5 })
    const [first, ...more] = hit!.messages.map(({ role, excerpt }) => `${role}: ${excerpt}`)
    expect(first).toMatch(/^user: ….{60}Zebra.{55}…$/)
    expect(more).toEqual(['assistant: a zebra', 'user: one zebra'])
  })

  test('the terminal says how many more there are', async () => {
    const { stdout } = await lab.cortext(['search', 'zebra'])
    expect(stdout).toMatch(/^\[debug\] Topic {2}\(conversations\/.*\)\n/)
    expect(stdout.match(/^ {3}(user|assistant), \d{4}-\d{2}-\d{2}T\d{2}:\d{2}: /gm)).toHaveLength(3)
    expect(stdout).toMatch(/ {3}… 2 more messages\n$/)
  })
})
