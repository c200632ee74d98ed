import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { search } from '../../../src/journeys/finding/search.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { conversationNamed, type Lab, recordLines, workspaceLab } from '../../helpers/workspace-lab.ts'

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

test('a tool result of more than 64 KB is found as a whole, told to be cut, and told to be missing in a clone', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  const output = `${'line before\n'.repeat(4000)}the Quokka in the middle\n${'line behind\n'.repeat(4000)}`
  await claude.command('workspace.debug', 'Topic')
  claude.user('build it')
  claude.assistant([{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'make' } }], 'tool_use')
  claude.user([{ type: 'tool_result', tool_use_id: 't1', content: output }])
  claude.assistant([{ type: 'text', text: 'built' }])
  await lab.json(['stop', '001', '--json'])

  const path = conversationNamed(lab, '001-debug-topic')
  expect(recordLines(lab, path).join('\n')).not.toContain('Quokka')
  const [hit] = await search(openWorkspace(lab.environment), 'quokka middle')
  expect(hit).toMatchObject({ total: 1, messages: [{ role: 'tool' }] })
  expect(hit!.messages[0]!.excerpt).toContain('the Quokka in the middle')
  const { stderr: here } = await lab.cortext(['show', '001'])
  expect(here).not.toContain('Not on this machine')

  // As in a clone: neither what git leaves out nor what this machine keeps.
  rmSync(join(lab.root, path, '.session', 'attachments'), { recursive: true })
  rmSync(openWorkspace(lab.environment).local, { recursive: true })
  expect(await search(openWorkspace(lab.environment), 'quokka middle')).toEqual([])
  const missing = 'Not on this machine: 1 long output of this conversation'
  const { stdout, stderr } = await lab.cortext(['resume', '001', '--print'])
  expect(stdout).toMatch(/^History: .* 1 long tool result cut \(where the whole is kept: .*\/attachments\//m)
  expect(stdout).not.toContain('included in full')
  expect([stdout, stderr].map((text) => text.split(missing).length - 1)).toEqual([1, 1])
  const { stderr: shown } = await lab.cortext(['show', '001'])
  expect(shown.split(missing)).toHaveLength(2)
})
