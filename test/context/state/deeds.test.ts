import { describe, expect, test } from 'vitest'
import { historyOf } from '../../../src/context/select-strategy.ts'
import { deedsOf, recordFacts } from '../../../src/context/state/deeds.ts'
import { tellingSentences } from '../../../src/context/state/said/telling-answer.ts'
import { summaryFacts } from '../../../src/context/state/summary-facts.ts'
import type { Message } from '../../../src/session/schema.ts'
import { summaryFromRecord, summaryWith, withoutLastSaid } from '../../../src/session/summary.ts'
import { said } from '../../session/conversations.ts'
import { TOOLS } from '../tools.ts'

let calls = 0
const did = (name: string, args: object, content = 'ok', more: Partial<Message> = {}): Message[] => {
  const id = `t${calls++}`
  return [
    said(`${id}a`, { role: 'assistant', content: '', tool_calls: [{ id, name, arguments: args }] }),
    said(`${id}r`, { role: 'tool', content, tool_call_id: id, ...more }),
  ]
}
const agent = (id: string, content: string) => said(id, { role: 'assistant', content })
const of = (...messages: (Message | Message[])[]) =>
  historyOf({ messages: messages.flat(), project: 'p', tools: TOOLS })
const summary = (...messages: (Message | Message[])[]) => summaryFromRecord(recordFacts(of(...messages)))

const edited = ['a', 'b', 'c', 'd', 'e'].map((name) =>
  did('Edit', { file_path: `src/${name}.ts`, old_string: 'x' }),
)
const commits = [
  did('Bash', { command: 'git commit -m x' }, '[main 1a2b3c4] Begin the reader\n 2 files changed'),
  did('Bash', { command: 'git commit -m y' }, '[wip/x 2b3c4d5] Add the reader (fast)\n 2 files changed'),
]

describe('what was done', () => {
  test('is the last commit and the files that were changed last, in one line', () => {
    expect(deedsOf(of(...edited, ...commits))).toBe(
      'committed "Add the reader (fast)" and 1 more; changed c.ts, d.ts, e.ts and more',
    )
    expect(deedsOf(of(edited[0]!))).toBe('changed a.ts')
    const twelve = Array.from({ length: 12 }, (_, n) =>
      did('Bash', { command: 'git commit -m x' }, `[main 1a2b3c${n}] Add page ${n}`),
    )
    expect(deedsOf(of(...twelve))).toBe('committed "Add page 11" and 11 more')
    const back = did('Bash', { command: 'git reset --soft HEAD~1' }, '')
    expect(deedsOf(of(commits[0]!, back))).toBe('')
    const edit = (path: string) => did('Edit', { file_path: path, old_string: 'x' })
    expect(deedsOf(of(edit('/w/a/x.ts'), edit('/w/b/x.ts'), edit('/w/y.ts')))).toBe(
      'changed a/x.ts, b/x.ts, y.ts',
    )
    // Notes of the agent are no part of the project.
    expect(deedsOf(of(edit('/tmp/z.ts'), edit('/home/a/.claude/plans/soft-owl.md')))).toBe('')
    expect(deedsOf(of(edit('/home/a/.claude/projects/x/memory/MEMORY.md')))).toBe('')
    expect(deedsOf(of(edit('/w/src/x.ts'), edit('src/x.ts'), edit('./src/x.ts')))).toBe('changed x.ts')
    // Any folder may have such a file.
    expect(deedsOf(of(edit('/w/docs/README.md'), edit('README.md')))).toBe(
      'changed docs/README.md, README.md',
    )
    const build = did('Bash', { command: 'go build -o reader . && ./reader && rm reader' })
    expect(deedsOf(of(edit('x.ts'), build))).toBe('changed x.ts')
    expect(deedsOf(of(said('u'), did('Edit', { file_path: 'x.ts' }, 'no', { is_error: true })))).toBe('')
  })
})

test('a record with very many files does not hang, nor one with a very long line of brackets', () => {
  const files = Array.from({ length: 50_000 }, (_, index) =>
    did('Edit', { file_path: `/w/${index}/a${index % 2}.ts`, old_string: 'x' }),
  )
  expect(deedsOf(of(...files))).toBe('changed 49997/a1.ts, a0.ts, 49999/a1.ts and more')
  expect(tellingSentences('['.repeat(1_000_000)).length).toBeLessThan(2)
})

const NOTHING = {
  asked: '',
  isFirst: false,
  done: '',
  askedLast: '',
  answered: '',
  answeredLater: '',
  isLast: true,
  isEarlier: false,
  step: '',
  open: '',
}

describe('the changed files that are named', () => {
  const edit = (path: string) => did('Edit', { file_path: path, old_string: 'x' })
  const temporary = 'C:\\Users\\ann\\AppData\\Local\\Temp\\'

  test('are those of the project, never files for a moment in their place', () => {
    const scratch = [
      `${temporary}claude\\D--orchard\\s1\\scratchpad\\run.sh`,
      `${temporary}x\\a.py`,
      '/tmp/x/b.py',
      '/private/tmp/c.py',
      '/var/folders/ab/cd/T/x/d.py',
      '/mnt/c/Users/ann/AppData/Local/Temp/x/e.py',
    ]
    expect(deedsOf(of(edit('/home/ann/orchard/src/pear.zsh'), ...scratch.map(edit)))).toBe('changed pear.zsh')
  })

  test('are those of a clone below a temporary folder if there are no others, or if it is the working folder', () => {
    expect(deedsOf(of(edit('/tmp/pear-benchmark/bench.mjs')))).toBe('changed bench.mjs')
    expect(deedsOf(of(edit(`${temporary}s1\\scratchpad\\x.md`), edit('/tmp/x.md')))).toBe('')
    const messages = [edit('/tmp/orchard/a.ts'), edit('/home/ann/.zshrc'), edit('/tmp/x/b.ts')].flat()
    expect(deedsOf(historyOf({ messages, project: 'orchard', tools: TOOLS }))).toBe('changed a.ts, .zshrc')
  })

  test('are told without what a terminal would obey', () => {
    const odd = did('Bash', { command: 'git commit -m x' }, '[main 1a2b3c4] Add \u001b[31mred\u202e pears')
    expect(deedsOf(of(odd))).not.toMatch(/[\u001b\u202e]/)
  })

  test('have the last pull request that was opened before them', () => {
    const opened = (n: number) =>
      did('Bash', { command: 'gh pr create --fill' }, `Creating…\nhttps://github.com/ann/orchard/pull/${n}\n`)
    expect(deedsOf(of(opened(6), edit('/w/a.ts'), opened(7)))).toBe('opened pull/7 and 1 more; changed a.ts')
    const listed = did('Bash', { command: 'gh pr list' }, 'https://github.com/ann/orchard/pull/8')
    expect(deedsOf(of(listed))).toBe('')
  })

  test('are those that a here-document writes, too', () => {
    const write = did('Bash', { command: "cat > .specify/constitution.md <<'EOF'\n# Orchard\nEOF" }, '')
    expect(deedsOf(of(write))).toBe('changed constitution.md')
  })
})

describe('a summary from the record', () => {
  const asked = said('u', { content: 'can you make the reader fast?' })

  test('has the request, what was done, the answer, and what is open', () => {
    expect(
      summary(
        asked,
        edited[0]!,
        did('Bash', { command: 'npm test' }, '2 failed', { is_error: true }),
        agent('a', 'It skips empty lines.'),
        said('v', { content: 'push' }),
        agent('b', 'Pushed to main, two tests are red.'),
      ),
    ).toBe(
      'From the record: first asked "can you make the reader fast?"; changed a.ts; last answered "Pushed to main, two tests are red."; open: npm test failed',
    )
    const open = said('v', { content: 'install it' })
    expect(summary(asked, agent('a', 'It skips empty lines.'), open)).toBe(
      'From the record: first asked "can you make the reader fast?"; last answered "It skips empty lines."; last asked "install it"; open: the last request has no answer',
    )
    expect(summary(asked, agent('a', 'Yes.'), said('v', { content: 'push' }))).toBe(
      'From the record: first asked "can you make the reader fast?"; open: the last request, "push", has no answer',
    )
  })

  test('names the request and its answer as a pair only if nothing else was asked', () => {
    expect(summary(asked, agent('a', 'It skips empty lines.'))).toBe(
      'From the record: asked "can you make the reader fast?"; answered "It skips empty lines."',
    )
    const made = summary(asked, said('v', { content: 'And the writer?' }), agent('a', 'It writes in blocks.'))
    expect(made).toBe(
      'From the record: first asked "can you make the reader fast?"; last asked "And the writer?"; answered "It writes in blocks."',
    )
    expect(summaryWith('push', made)).toBe(
      'From the record: first asked "can you make the reader fast?"; last said "push"',
    )
  })

  test('has the words of the person as they were typed, and says "first" only of what was asked first', () => {
    const prompt = (id: string, content: string) => said(id, { content })
    expect(
      summary(prompt('u', 'Can you add the missing\napple labels?'), agent('a', 'Added four labels.')),
    ).toBe('From the record: asked "Can you add the missing apple labels?"; answered "Added four labels."')
    expect(
      summary(
        prompt('u', 'continue'),
        agent('a', 'With what?'),
        prompt('v', 'Yes, commit the README of the orchard'),
        agent('b', 'It has one commit.'),
        prompt('w', 'push'),
        agent('c', 'It is on main now.'),
      ),
    ).toBe(
      'From the record: asked "Yes, commit the README of the orchard"; last answered "It is on main now."',
    )
    expect(
      summary(
        prompt('u', 'Yes, commit the README of the orchard'),
        agent('a', 'It has one commit.'),
        prompt('v', 'The badge of the orchard says failing'),
        agent('b', 'It was the pear test.'),
        prompt('w', 'Deepen the outputs of the press'),
        agent('c', 'It presses apples too. Shall I add tests?'),
        prompt('x', 'yes'),
        agent('d', 'Added the tests.'),
      ),
    ).toBe(
      'From the record: asked "The badge of the orchard says failing"; later asked "Deepen the outputs of the press"; last answered "Added the tests."',
    )
    const link = 'https://github.com/ann/orchard/issues/7718'
    expect(summary(prompt('g', 'hi'), prompt('u', `${link} this breaks`), prompt('v', 'push'))).toBe(
      `From the record: first asked "${link} this breaks"; open: the last request, "push", has no answer`,
    )
  })

  test('has the same words once, such as those of the template of a command', () => {
    const template = `# /pear: run one file with strict guardrails, and nothing else that it may need. SPEC: `
    expect(
      summary(
        said('u', { content: `${template}a` }),
        agent('a', 'A is done.'),
        said('v', { content: `${template}b` }),
        agent('b', 'B has a docstring.'),
      ),
    ).toMatch(/^From the record: first asked "# \/pear: [^"]*"; last answered "B has a docstring\."$/)
  })

  test('has the last exchange that tells something, and no small talk after it', () => {
    const talk = [
      said('u', { content: 'Read the orchard code' }),
      agent('a', 'It sorts apples.'),
      said('v', { content: 'Now make the page nicer' }),
      agent('b', 'The page has new icons.'),
    ]
    const told =
      'From the record: first asked "Read the orchard code"; last asked "Now make the page nicer"; answered "The page has new icons."'
    expect(summary(...talk)).toBe(told)
    for (const content of ['hi', 'Thanks a lot!', 'great, thank you :)', '👍', 'ok', '!find .'])
      expect(summary(...talk, said('w', { content }), agent('c', 'How can I help you?'))).toBe(told)
    expect(summary(...talk, said('w', { content: 'thanks' }))).toBe(told)
    // What is done after a word of thanks is no small talk.
    expect(
      summary(...talk, said('w', { content: 'great' }), ...edited[0]!, agent('c', 'The header moves too.')),
    ).toContain('last answered "The header moves too."')
    expect(summary(said('u', { content: 'hi' }), agent('a', 'How can I help you?'))).toBe(
      'From the record: answered "How can I help you?"',
    )
  })

  test('says that a conversation broke off, and takes no opening line before a call as the answer', () => {
    const look = (results: Message[]) => [
      said('u', { content: 'Add the beads' }),
      agent('a', 'I look at my mail.'),
      ...results,
    ]
    const [call, result] = did('Read', { file_path: 'mail' }, '0 messages') as [Message, Message]
    const [mail, tests] = ['I look at my mail.', 'And at the tests.']
    const shapes: [string, Message[]][] = [
      [mail, [call]],
      [mail, [call, result]],
      [tests, [{ ...call, content: tests }, result]],
      [tests, [{ ...call, content: `═════\n${tests}\n═════` }, result]],
      ['Count the beads', did('Bash', { command: 'ls', description: 'Count the beads' })],
    ]
    for (const [step, results] of shapes) {
      const told = `From the record: asked "Add the beads"; open: the last request has no final answer, last step "${step}"`
      expect(summary(...look(results))).toBe(told)
      const kept = summaryFacts(TOOLS)(look(results))
      expect(summary(...kept)).toBe(told)
    }
    expect(summary(...look([call, result]), agent('b', 'There is no mail.'))).toBe(
      'From the record: asked "Add the beads"; answered "There is no mail."',
    )
  })

  test('takes no arguments of a call that was never made as an answer, but JSON that was asked for', () => {
    const asked = said('u', { content: 'List the sorts of pears' })
    const json = agent('a', '{"query": "sorts of pears"}')
    const search = did('search', { query: 'pears', max: 5 }, 'HTTP 400')
    expect(summary(asked, search, json)).toBe(
      'From the record: asked "List the sorts of pears"; open: the last request has no answer in words',
    )
    expect(summary(asked, agent('b', 'I look at the sorts.'), search, json)).toContain('has no final answer')
    expect(summary(asked, json)).toContain('answered "{')
    expect(summary(asked, search, agent('a', '{"sorts": ["conference"]}'))).toContain('answered "{"sorts"')
  })

  const note = said('n', { role: 'tool', content: 'Verify the phase', tool_name: 'task-notification' })

  test('tells the answer to the person from what the agent says to a note of a program after it', () => {
    const asked = said('u', { content: 'Should we stop the gardener?' })
    const no = agent('a', 'No, leave it: stopping would lose its work.')
    const done = agent('b', 'The hedge is cut and the gate is painted.')
    expect(summary(asked, no, note, ...did('Read', {}), done)).toBe(
      `From the record: asked "Should we stop the gardener?"; answered "${no.content}"; later said "${done.content}"`,
    )
    // A note during the work changes nothing, and neither does one that nobody spoke about.
    expect(summary(asked, ...did('Read', {}), note, done)).toContain(`; answered "${done.content}"`)
    expect(summary(asked, no, note)).toContain(`; answered "${no.content}"`)
    const announced = agent('a', 'Let me wait for it.')
    expect(summary(asked, announced, note, done)).toContain(`; last answered "${done.content}"`)
  })

  test('says that the person interrupted the agent, whatever the agent had said', () => {
    const asked = said('u', { content: 'Look into the pears that are lost' })
    const begun = agent('a', 'A report of lost pears. I give the deep look to a gardener.')
    const stopped = said('i', { role: 'system', content: '', event: 'interrupted' })
    const told =
      'From the record: asked "Look into the pears that are lost"; open: the last request has no final answer'
    expect(summary(asked, begun, stopped)).toBe(told)
    expect(summary(...summaryFacts(TOOLS)([asked, begun, stopped]))).toBe(told)
    expect(summary(asked, begun, stopped, agent('b', 'The pears are found in the shed.'))).toContain(
      'answered "',
    )
  })

  test('names no task as open that later tasks have left behind', () => {
    const create = (n: number) =>
      did('TaskCreate', { subject: `Task ${n}` }, `Task #${n} created successfully`)
    const finish = (n: number) => did('TaskUpdate', { taskId: `${n}`, status: 'completed' })
    const made = [said('u', { content: 'Build the shed' }), ...create(1), ...create(2), ...create(3)]
    const end = agent('a', 'The shed stands.')
    expect(summary(...made, ...finish(1), end)).toContain('; open: Task 2')
    expect(summary(...made, ...finish(1), ...finish(3), end)).not.toContain('open')
  })

  test('says that more files were changed than the agent itself has edited', () => {
    const edit = did('Edit', { file_path: 'docs/general.md', old_string: 'x' })
    const commit = (files: string) =>
      did('Bash', { command: 'git commit -m x' }, `[main 1a2b3c4] Add x\n ${files} changed, 9 insertions(+)`)
    expect(deedsOf(of(edit, commit('3 files')))).toBe('committed "Add x"; changed general.md and more')
    expect(deedsOf(of(edit, commit('1 file')))).toBe('committed "Add x"; changed general.md')
  })

  test('names the files that were changed after the last commit, if there are any', () => {
    const edit = (file_path: string) => did('Edit', { file_path, old_string: 'x' })
    const commit = did('Bash', { command: 'git commit -m x' }, '[main 1a2b3c4] Add x\n 3 files changed')
    const talk = [
      ...edit('docs/a.md'),
      ...commit,
      ...edit('docs/b.md'),
      ...did('Bash', { command: 'git status' }),
    ]
    expect(deedsOf(of(...talk))).toBe('committed "Add x"; then changed b.md')
    expect(deedsOf(of(...talk, ...commit))).toMatch(/; changed a\.md, b\.md/)
    expect(deedsOf(of(...talk, ...did('Bash', { command: 'git -C . merge x' })))).toMatch(
      /; changed a\.md, b\.md/,
    )
  })

  test('tells of a last check that could not run, and not of a failure that many requests have left behind', () => {
    const asked = said('u', { content: 'Describe the pears in a docstring' })
    const missing = did('Bash', { command: 'pytest -q' }, 'zsh:1: command not found: pytest', {
      is_error: true,
    })
    const answered = agent('a', 'The docstring is in.')
    expect(summary(asked, ...missing, answered)).toContain('; open: pytest -q could not run')
    const helped = did(
      'Bash',
      { command: 'pytest -q || python -m pytest' },
      'pytest: command not found\n3 passed in 0.1s',
    )
    expect(summary(asked, ...helped, answered)).not.toContain('open')
    expect(summary(asked, ...missing, ...did('Bash', { command: 'npm test' }, 'ok'), answered)).not.toContain(
      'open',
    )
    const failed = did('Bash', { command: 'cargo build' }, 'error: no network', { is_error: true })
    const edit = did('Edit', { file_path: 'a.rs', old_string: 'x' })
    const later = (count: number) =>
      Array.from({ length: count }, (_, n) => [
        said(`p${n}`, { content: `Add page ${n}` }),
        ...edit,
        agent(`q${n}`, `Page ${n} is there.`),
      ]).flat()
    expect(summary(asked, ...failed, ...later(2))).toContain('; open: cargo build failed')
    expect(summary(asked, ...failed, ...later(3))).not.toContain('open')
  })

  test('has the report that came before the note of a program, where the work after it broke off', () => {
    const talk = [
      said('u', { content: 'Close the gaps of the orchard' }),
      agent('a', 'All 19 gaps are closed.'),
      note,
    ]
    expect(
      summary(...talk, agent('b', 'Let me commit.'), ...did('Bash', { command: 'git commit -m x' }, '')),
    ).toMatch(
      /; answered "All 19 gaps are closed\."; open: the last request has no final answer, last step "git commit -m x"$/,
    )
  })

  test('counts each commit of a long command, with its own message', () => {
    const commit = (n: number) =>
      `git add f${n} && git commit -q -F - <<'EOF'\nAdd page ${n}\n\n${'Word '.repeat(300)}\nEOF`
    const log = '3333333 Add page 3\n2222222 Add page 2\n1111111 Add page 1'
    const command = [1, 2, 3].map(commit).join('\n')
    expect(deedsOf(of(...did('Bash', { command }, log)))).toBe('committed "Add page 3" and 2 more')
  })

  test('tells what was asked and answered in the order in which it was said', () => {
    const talk = [
      said('a', { content: 'Plant the pears' }),
      agent('b', 'The pears are planted.'),
      said('c', { content: 'Build an API for the shed', timestamp: '2026-11-21T10:31:00Z' }),
      agent('d', 'The API of the shed is begun.'),
      said('e', { content: 'yes please' }),
      agent('f', 'The API of the shed has a door now.'),
      said('g', { content: 'ok' }),
      ...did('Bash', { command: 'ls' }),
    ]
    expect(summary(...talk)).toBe(
      'From the record: first asked "Plant the pears"; later asked "Build an API for the shed"; last answered "The API of the shed has a door now."; open: the last request, "ok", has no answer in words',
    )
  })

  test('has the question that closes a short answer, and an answer of one word', () => {
    const asked = said('u', { content: 'Reply with exactly OK' })
    expect(summary(asked, agent('a', 'OK'))).toContain('; answered "OK"')
    const waits = 'Read the instructions of the garden. How can I help you today?'
    expect(summary(asked, agent('a', waits))).toContain(`; answered "${waits}"`)
  })

  test('keeps the result of a check that has a long name', () => {
    const check = `npx markdownlint-cli2 ${'docs/configuration/pears.md '.repeat(9)}`
    const failed = did('Bash', { command: check }, 'Exit code 1\na.md:3 error MD013', { is_error: true })
    expect(
      summary(said('u', { content: 'Write the page' }), failed, agent('a', 'The page is there.')),
    ).toMatch(/; open: markdownlint-cli2 docs.* failed$/)
  })

  test('says nothing of a last request where no person asked for anything', () => {
    expect(summary(note, agent('a', 'Phase 8 is clean.'), ...did('Shutdown', {}, ''))).not.toContain('open')
  })

  test('quotes what the person typed, not a template that a program filled in without a word of theirs', () => {
    const template =
      '## User Input\n\n```text\n\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n\nUpdate the constitution.'
    const talk = [
      said('t', { content: template }),
      agent('a', 'Which rules?'),
      said('u', { content: 'Use uv for the parser' }),
    ]
    expect(summary(...talk, agent('b', 'The rules are in.'))).toContain('asked "Use uv for the parser"')
    expect(summary(talk[0]!, agent('b', 'The rules are in.'))).toContain('Update the constitution')
  })

  test('has a short answer too, if it is the answer to a request that tells something', () => {
    const tests = said('u', { content: 'write unit tests for the pear backend' })
    const answered = (content: string) => summary(tests, agent('a', content))
    expect(answered('Here are the unit tests of the pear backend.')).toContain(
      '; answered "Here are the unit tests of the pear backend."',
    )
    expect(answered('Both done.')).toContain('; answered "Both done."')
    expect(answered('Let me look at the backend.')).not.toContain('answered')
  })

  test('is the same of a conversation that was read in parts', () => {
    const many = Array.from({ length: 70 }, (_, n) => [
      said(`p${n}`, { content: `Add page ${n}` }),
      agent(`q${n}`, `Page ${n} is there.`),
    ]).flat()
    const keep = summaryFacts(TOOLS)
    expect(summary(...keep(many.slice(0, 60)), ...keep(many.slice(60)))).toBe(summary(...many))
    const commit = did('Bash', { command: 'git commit -m x' }, '[main 1a2b3c4] Add x')
    const back = did('Bash', { command: 'git reset --hard HEAD~1' }, 'HEAD is now at 0000000 Begin')
    const log = did('Bash', { command: 'git log --oneline -2' }, '2b3c4d5 Add x\n0000000 Begin')
    const again = summaryFacts(TOOLS)
    const talk = [...commit, ...back, ...log]
    expect(summary(...again(talk), ...again(many))).toBe(summary(...talk, ...many))
    expect(summary(...talk, ...many)).toContain('committed "Add x"')
  })

  test('has the only word or command that was typed', () => {
    for (const content of ['init', 'init .', '/init', 'tmux ls', 'What is 2+2?'])
      expect(summary(said('u', { content }), agent('a', 'What kind of orchard is it?'))).toBe(
        `From the record: asked "${content}"; answered "What kind of orchard is it?"`,
      )
  })

  test('is none where nothing tells anything', () => {
    expect(summary(said('u', { content: 'yes' }), agent('a', 'Done.'))).toBe('')
  })

  test('is short, however long the talk is', () => {
    const long = 'a long word '.repeat(400)
    const text = summary(said('u', { content: long }), ...commits, ...edited, agent('a', long))
    expect(text.length).toBeLessThan(480)
    expect(text).not.toContain('\n')
  })

  test('is known as made by the program, and gives way to one that somebody wrote', () => {
    const made = summary(asked, edited[0]!, agent('a', 'It skips empty lines.'))
    expect(made).toMatch(/^From the record: /)
    expect(withoutLastSaid(made)).toBe('')
    expect(withoutLastSaid('We chose REST.')).toBe('We chose REST.')
  })

  test('keeps what was asked and done when the talk goes on', () => {
    const made = summary(asked, edited[0]!, agent('a', 'It skips empty lines.'))
    const later = 'From the record: asked "can you make the reader fast?"; changed a.ts; last said "push"'
    expect(summaryWith('push', made)).toBe(later)
    expect(summaryWith('merge', later)).toBe(later.replace('push', 'merge'))
    expect(withoutLastSaid(later)).toBe('')
    expect(summaryWith('push', summaryFromRecord({ ...NOTHING, answered: 'A.' }))).toBe(
      'From the record: last said "push"',
    )
  })
})
