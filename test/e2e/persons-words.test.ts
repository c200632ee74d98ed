import { describe, expect, it } from 'vitest'
import { CLAUDE_VERSIONS } from './install.ts'
import { bash, tool } from './reply.ts'
import { openWorkspaceLab } from './workspace-lab.ts'

const QUESTION = {
  question: 'Which database shall it be?',
  header: 'Database',
  multiSelect: false,
  options: [
    { label: 'SQLite', description: 'one file' },
    { label: 'Postgres', description: 'a server' },
  ],
}

describe.each(CLAUDE_VERSIONS)('what a person says in Claude Code %s in the answer to a call', (version) => {
  it('is theirs: the answer to a question, the words with which they refuse, and those with which they allow', async () => {
    await using lab = await openWorkspaceLab({ version })
    lab.model.when('which one then', tool('AskUserQuestion', { questions: [QUESTION] }), 'Then Postgres.')
    lab.model.when('take the build away', bash('rm -rf build'), 'Then I keep it.')
    lab.model.when('make one', bash('touch made'))
    lab.model.when('and tell me the size', 'It is empty.')
    const terminal = await lab.interactive()
    await terminal.submit('/workspace.brainstorm API')
    await terminal.waitFor('Scripted answer')

    await terminal.submit('which one then')
    await terminal.waitFor(/❯ 1\. SQLite/)
    await terminal.pressUntil('Down', /❯ 2\. Postgres/)
    await terminal.pressUntil('Enter', 'Then Postgres.')

    await terminal.submit('take the build away')
    await terminal.waitFor(/❯ 1\. Yes/)
    await terminal.pressUntil('Up', /❯ \d\. No/)
    await terminal.pressUntil('Tab', /❯ \d\. No, and/)
    await terminal.submit('keep it for the release', { after: 500 })
    await terminal.waitFor('Then I keep it.')

    await terminal.submit('make one')
    await terminal.waitFor(/❯ 1\. Yes/)
    await terminal.pressUntil('Tab', /❯ 1\. Yes, and/)
    await terminal.submit('and tell me the size', { after: 500 })
    await terminal.waitFor('It is empty.')
    await lab.leave(terminal)

    const said = lab.messages().filter(({ role }) => role === 'user')
    expect(said.map(({ content }) => content)).toEqual([
      '/workspace.brainstorm API',
      'which one then',
      '> Which database shall it be?\n\nPostgres',
      'take the build away',
      'keep it for the release',
      'make one',
      'and tell me the size',
    ])
    const refused = lab.messages().filter((message) => message.refused)
    expect(refused).toMatchObject([{ role: 'tool', tool_name: 'Bash' }])
  })
})
