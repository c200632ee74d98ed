import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mechanicalSummary } from '../../src/session/summary.ts'
import { titleFrom } from '../../src/session/title.ts'
import { cutAtWord, oneLine, removeControls, shortLine } from '../../src/text/line.ts'
import { program, run, tempFolder } from '../store/sandbox.ts'
import { rewound, said, text } from './conversations.ts'

const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/

test('a text of many megabytes is one line like any other', () => {
  const long = `${'x y '.repeat(3_000_000)}z`
  expect(oneLine(long)).toBe(long)
  // Two runs, because each run of spaces that is replaced takes time.
  const word = 'x'.repeat(12_000_000)
  expect(oneLine(`${word}  y `)).toBe(`${word} y`)
})

test('a text is cut between words only where a word ends in the last third', () => {
  expect(cutAtWord(`abcdefghi ${'x'.repeat(20)}`, 12)).toBe('abcdefghi…')
  expect(cutAtWord(`abcde ${'x'.repeat(20)}`, 12)).toBe('abcde xxxxxx…')
})

describe('titleFrom', () => {
  const title = (...contents: string[]) => titleFrom(contents.map((content, n) => said(`m${n}`, { content })))

  test('Q-10, E-25: the title comes from the first request, not the latest message', () => {
    expect(title('Compare REST and GraphQL', 'And now fix the tests')).toBe('Compare REST and GraphQL')
    expect(title('hi', 'fix', 'Hello!', 'The login page is slow')).toBe('The login page is slow')
    expect(title('hi')).toBeUndefined()
    // A request that names no subject gives way to the next one, which is about the same link.
    const issue = 'https://github.com/a/b/issues/7 investigate this issue and find the root cause'
    expect(title(issue, 'Bump the time of the cache file')).toBe('issues/7: Bump the time of the cache file')
    expect(title(issue)).toMatch(/^issues\/7: investigate this issue/)
    expect(
      title('Read @packages/agent/src/main.ts @packages/agent/src/tui.ts i feel like this is one big mess'),
    ).toBe('Read main.ts tui.ts i feel like this is one big mess')
    const worktree = 'Create a worktree off latest origin/main in a/b, then open a draft PR for the pears'
    expect(title(worktree)).toBe('Open a draft PR for the pears')
    expect(title('Твоя задача: выяснить, что сделано')).toBe('Выяснить, что сделано')
    const output = 'test reads_pears ... FAILED\ntest counts ... ok\n\nfailures:'
    expect(title(output, 'Make the pears of the repository pass')).toBe(
      'Make the pears of the repository pass',
    )
    expect(title('user\nsearch the web for pears\n\nagent\nI cannot')).toMatch(/^search the web for pears/)
    const tidy = 'is there anything outstanding in this branch, if not lets delete it'
    expect(title(tidy, 'Ask how others limit their workers')).toBe('Ask how others limit their workers')
    expect(title('da', 'да', 'só fale em português', 'Speak in German.', 'Fix the pear')).toBe('Fix the pear')
    expect(title('**GUIDE.md** continue', 'Build the shop of the guide')).toBe('Build the shop of the guide')
    const log = `eu: run] ${'─'.repeat(8)} │ Builder 1.2`
    expect(title(log, 'Start the builder')).toBe('Start the builder')
    expect(title('You are the lead of this orchard. Role: - Coordinate only.')).toMatch(/^You are the lead/)
    expect(title('修复登录')).toBe('修复登录')
  })

  test('what a program printed around a request is no part of its title', () => {
    expect(title('find out why I get this in the shell\n  ┃\n  │ git fetch origin')).toBe(
      'find out why I get this in the shell',
    )
    const log = ['$ planner', '[planner] {"task":1}', 'runner! No image', '[planner] {"status":127}']
    expect(title([...log, ' the image of the runner is missing, can it be built'].join('\n'))).toBe(
      'the image of the runner is missing, can it be built',
    )
    expect(title(['can you fix the planner', ...log, 'it seems that it does not start'].join('\n'))).toMatch(
      /^Fix the planner/,
    )
    expect(title('"Open Studio" should be renamed, and then commit it')).toMatch(/^"Open Studio"/)
    expect(title('[Pears] show the ripe ones, with a label for each')).toMatch(/^\[Pears\]/)
    const list = [
      'Mend these pears:',
      '[one] the red one',
      '[two] the green one',
      'and tell me which was worse',
    ]
    expect(title(list.join('\n'))).toMatch(/^Mend these pears/)
    const json = '{ "servers": { "pears": { "args": ["-y"] } } } add this server to the settings'
    expect(title(json)).toBe('add this server to the settings')
  })

  test('of something that is pasted below `this`, a title has the heading', () => {
    const report =
      'Summary\n\nThe prompt draws the path through the template again.\n\nImpact\n\nAny command runs.'
    expect(title(`Look into this with a subagent, by /code-changes\n\n${report}`)).toBe(
      'The prompt draws the path through the template again.',
    )
    expect(title('Look into this\n\n# Pears fall off\n\nAt night.')).toBe('Pears fall off')
    expect(title('Do this\n\nPlant pears, then water them.')).toBe('Do this Plant pears, then water them.')
  })

  test('where a title is too long, it leaves out asides and hosts, and the beginning of a sentence at its end', () => {
    expect(
      title('in https://example.com/ann/pears (also cloned here) the reader has an option, find out how'),
    ).toBe('in ann/pears the reader has an option, find out how')
    const adopt = 'we are going to adopt the contract of the pears. see'
    expect(title(`${adopt} https://example.com/ann/pears/tree/main/parity/pr-679 for the way there`)).toBe(
      'we are going to adopt the contract of the pears…',
    )
    expect(title('Read @src/main.ts @src/tui.ts in full. The drawing is one big mess')).toBe(
      'The drawing is one big mess',
    )
  })

  test('a link that stands before a title does not stand at its end too', () => {
    expect(title('read this story and tell me about it: https://example.com/browse/PEAR-12')).toBe(
      'browse/PEAR-12: read this story and tell me about it',
    )
  })

  test('Q-10: the title is cut at a word near 70 characters, unless it ends soon', () => {
    const explain = 'Explain how the rate limiter of the public gateway behaves'
    expect(title(`${explain} under load on Mondays`)).toBe(`${explain} under load on Mondays`)
    expect(title(`${explain} under load on a Monday morning`)).toBe(`${explain} under load…`)
    expect(title('x'.repeat(81))).toBe(`${'x'.repeat(70)}…`)
  })

  test('a slash command gives its arguments, a path stays a path', () => {
    expect(title('/workspace.brainstorm  API design\nin depth')).toBe('API design in depth')
    expect(title('/review /security-review\n/simplify the parser')).toBe('the parser')
    expect(title('/clear', '/home/me/notes.md is broken')).toBe('/home/me/notes.md is broken')
  })

  test('of a link in a sentence, a title has the end', () => {
    expect(title('Review https://example.com/gh/ann/graph/trails/7 - it is long')).toBe(
      'Review graph/trails/7 - it is long',
    )
    expect(title('Address https://github.com/ann/app/pull/66#issue-1, ann')).toBe('Address app/pull/66, ann')
    expect(title('Read https://example.com/a/b first')).toBe('Read https://example.com/a/b first')
  })

  test.each([
    ['can you check why the tests are slow?', 'Check why the tests are slow'],
    ["ok, let's add a note to the README", 'Add a note to the README'],
    ['Could you please also rename X to Y, please', 'Rename X to Y'],
    ["I'd like to generate a changelog", 'Generate a changelog'],
    ['I want you to fix `mise lint`', 'Fix `mise lint`'],
    ['okay - lint is red', 'Lint is red'],
    ['please .env is read, stop it', '.env is read, stop it'],
    [
      'Can you, without the web or the paid tools, on best effort basis, improve the flaky pear tests?',
      'Improve the flaky pear tests',
    ],
    [
      "im trying to figure out if there's some kind of method to show that caching pays",
      'Show that caching pays',
    ],
    ["I'm trying to figure out if there's some method we could use to show it pays", 'Show it pays'],
    ['continue **The_Guide.md**', 'continue The_Guide.md'],
    [
      'In this directory, I have a bunch of files that I want to add to an existing repository. How?',
      'Add to an existing repository. How',
    ],
    ['help me..as you can see here..im trying to prove that the cache pays', 'Prove that the cache pays'],
    // The person's own words, where nothing is left out.
    ['fix lint errors', 'fix lint errors'],
    ['Is this right?', 'Is this right?'],
    ['Please', undefined],
  ])('a title is a request without its politeness: %j', (request, expected) => {
    expect(title(request)).toBe(expected)
  })

  // promise: dated by what was said
  test.each([
    [
      'Implement the following plan:\n\n# Plan: Simplify the onboarding\n\n## Context\nIt is long.',
      'Simplify the onboarding',
    ],
    ['Implement the following plan:\n\n# Implementation Plan: `app reset`\n', '`app reset`'],
    ['Implement the following plan:\n\n# Plan\n\n## Context\n\nThe hook is slow.', 'The hook is slow.'],
    ['Implement the following plan: # Fix: Walk the parents', 'Fix: Walk the parents'],
    ['# Review: the **reader**\n\nLong words.', 'Review: the reader'],
    ['[Image #1] What is wrong with this page?', 'What is wrong with this page?'],
    ['[Pasted text #1 +62 lines] make the roof flat', 'make the roof flat'],
    ['[Pasted text #1 +62 lines', undefined],
    ['Привет! У нас есть приложение', 'У нас есть приложение'],
    ['hi friend, can you read the website', 'Read the website'],
    ['hey Claude! fix the parser', 'Fix the parser'],
    ['[[ ## user_query ## ]]\nWrite FizzBuzz in Python.', 'Write FizzBuzz in Python.'],
    ['<ide_selection>a.ts line 3</ide_selection>\nWhy is it null?', 'Why is it null?'],
    ['<note kind="a">Make the roof flat</note>', 'Make the roof flat'],
    ['## User Input\n\n```text\nPlan a bird table\n```\n\nYou **MUST** consider it.', 'Plan a bird table'],
    [
      '## User Input\n\n```text\n$ARGUMENTS\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n\nFind gaps in the spec.',
      'Find gaps in the spec.',
    ],
    ['You are a code reviewer. Your job is to review the parser.', 'Review the parser.'],
    ['You are verify on the team. You run all checks.', 'You are verify on the team. You run all checks.'],
    ['https://github.com/a/b/issues/7#c-1 find the cause of this', 'issues/7: find the cause of this'],
    [
      'https://github.com/a/b/issues/77 this issue reports that the `sort` setting breaks',
      'issues/77: `sort` setting breaks',
    ],
    [
      'read this story and analyze it for me https://ann.example.net/browse/PEAR-48347',
      'browse/PEAR-48347: read this story and analyze it for me',
    ],
    [
      'do you know how to plant a pear?\n\n\n Yes! Pears are planted by writing.\n\nthat is wrong',
      'do you know how to plant a pear?',
    ],
    ['Fix this error:\n\nTypeError: x is not a function', 'Fix this error: TypeError: x is not a function'],
    ['# /pear-exec — Execute a PearSpec\n\nPurpose: run it with care.', 'Execute a PearSpec'],
    ['# /pear-exec — Execute a PearSpec\n\nSPEC: .pear/add-docs.yaml\n', 'Execute a PearSpec: add-docs.yaml'],
    ['Fix this in /api (http://localhost:8000/api/v1/:path*)', 'Fix this in /api (api/v1/:path*)'],
    ['@src/a.ts is slow', '@src/a.ts is slow'],
    ['https://github.com/a/b/pull/190\n\naddress the feedback', 'pull/190: address the feedback'],
  ])('a title is the heading or request that tells something: %j', (prompt, expected) => {
    expect(title(prompt)).toBe(expected)
  })

  test.each([
    'continue',
    'yes',
    'do both please',
    "let's do 6, 7 and 10",
    'commit and push',
    'Get back to main',
    'check out main and pull the latest',
    '5 seems like a great one to tackle',
    'Can we continue from where we left off?',
    '!git switch main',
    '@.claude\\',
    '/@',
    '/',
    '@docs/plan.md',
    '{"type":"task_assignment"}',
    'Привет!',
    '你好',
    'Xin chào',
    '/clear',
    '/model opus',
    '[Image #1]',
    'https://github.com/a/b/tree/main',
    '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts: src/a.ts\n',
  ])('a prompt that tells nothing gives no title if a later one does: %j', (prompt) => {
    expect(title(prompt, 'The login page is slow')).toBe('The login page is slow')
  })

  test('a template without a word of the person gives a title only if no prompt does', () => {
    const template =
      '## User Input\n\n```text\n\n```\n\nYou **MUST** consider the user input before proceeding (if not empty).\n\n## Outline\n\nFind gaps in the spec.'
    expect(title(template, 'yes', 'Use uv for the parser')).toBe('Use uv for the parser')
    expect(title(template, 'yes')).toBe('Find gaps in the spec.')
    expect(title('# /exec — Execute a spec\n\nSPEC: a.yaml', 'Check the docs')).toBe('Check the docs')
  })

  test('a step between two pieces of work gives a title only if nothing else does', () => {
    const tidy = 'switch to main and delete stale branches like fix/pear-target'
    expect(title(tidy, 'Compare how others repeat flaky runs')).toBe('Compare how others repeat flaky runs')
    expect(title(tidy)).toBe(tidy)
    expect(title('Yes, commit the changes then update the README', 'Add a badge to the page')).toBe(
      'Add a badge to the page',
    )
    expect(title('Commit the parser', 'yes')).toBe('Commit the parser')
  })

  test('a prompt that is only a link says what the next one is about', () => {
    expect(title('https://github.com/a/b/issues/288', 'if (a && !b) { is wrong')).toBe(
      'issues/288: if (a && !b) { is wrong',
    )
  })

  test('a mere link, or words that tell little, are a title where nothing else is', () => {
    expect(title('hi', 'https://github.com/a/b/pull/2', 'yes')).toBe('https://github.com/a/b/pull/2')
    expect(title('yes', 'commit and push')).toBe('commit and push')
    expect(title('yes', '/clear')).toBeUndefined()
  })

  test('words of the agent and the tools give no title, nor does an event', () => {
    const messages = [
      said('a', { role: 'assistant', content: 'How can I help you?' }),
      said('t', { role: 'tool', content: 'a long result of a tool' }),
      said('e', { event: 'cleared', content: 'cleared everything' }),
    ]
    expect(titleFrom(messages)).toBeUndefined()
    expect(
      titleFrom([
        ...messages,
        said('u', { content: [{ type: 'image' }, { type: 'text', text: 'What is this?' }] }),
      ]),
    ).toBe('What is this?')
  })
})

describe('printable', () => {
  test('law: nothing that a terminal would obey survives, in a line or in a text', () => {
    const hostile = fc
      .array(
        fc.oneof(
          text,
          fc.constantFrom('\u001b[31m', '\u001b]0;x\u0007', '\u009b2J', '\u001b', '\r', '\u202e'),
        ),
      )
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(hostile, (dirty) => {
        expect(removeControls(dirty)).not.toMatch(OBEYED)
        const line = oneLine(dirty)
        expect(line).not.toMatch(OBEYED)
        expect(line).not.toMatch(/[\n\t\u2028\u2029]|^\s|\s$|\s\s/)
      }),
    )
  })

  test('whole escape sequences are removed, not only their first character', () => {
    expect(
      removeControls(
        'a\u001b[1;31mred\u001b[0m \u001b]0;title\u0007b\u001b]8;;http://x\u001b\\link \u009b2Jc',
      ),
    ).toBe('ared blink c')
  })

  test('a sequence that never ends takes nothing with it', () => {
    expect(removeControls('before \u001b]0;and all of the text behind')).toBe(
      'before 0;and all of the text behind',
    )
  })

  test('text of every language stays, with its line breaks', () => {
    const plain = 'Grüße\n\t日本語 👩‍👩‍👧 שלום'
    expect(removeControls(plain)).toBe(plain)
    expect(oneLine('a\r\nb\rc')).toBe('a b c')
  })
})

test('law: a cut text is a beginning of the text, no longer than the limit, and never cut inside a character', () => {
  const whole = fc.array(fc.constantFrom('a', ' ', '😀', '漢', 'word ', '𐀀')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(whole, fc.integer({ min: 1, max: 60 }), (line, length) => {
      const cut = cutAtWord(line, length)
      if ([...line].length <= length) {
        expect(cut).toBe(line)
        return
      }
      expect(cut.endsWith('…')).toBe(true)
      expect(line.startsWith(cut.slice(0, -1))).toBe(true)
      expect([...cut].length).toBeLessThanOrEqual(length + 1)
      expect(cut).not.toMatch(/\p{Surrogate}/u)
    }),
  )
})

test('a summary from the record has the last question that is still on the live path', () => {
  const messages = [said('a', { content: 'First question' }), said('b', { content: 'Second\nquestion' })]
  expect(mechanicalSummary(messages)).toBe('Last said: Second question')
  expect(mechanicalSummary([...messages, rewound('a')])).toBe('Last said: First question')
  expect(mechanicalSummary([])).toBe('')
})

test('a stop that the agent did not carry out is not what was said last', () => {
  const stop = said('z', { content: '/workspace.stop-conversation' })
  expect(mechanicalSummary([said('a', { content: 'Which one?' }), stop])).toBe('Last said: Which one?')
  expect(mechanicalSummary([stop], 'We chose REST.')).toBe('We chose REST.')
})

test('law: a short line is a cut of the whole text as one line, or of its beginning when only that was read', () => {
  const whole = fc.array(fc.constantFrom('a', '  ', '\n', '😀', '漢', 'word ')).map((parts) => parts.join(''))
  fc.assert(
    fc.property(whole, fc.integer({ min: 1, max: 60 }), fc.nat(400), (text, length, times) => {
      const line = shortLine(text.repeat(times), length)
      const begin = oneLine(text.repeat(times))
      expect([...line].length).toBeLessThanOrEqual(length + 2)
      expect(line).not.toMatch(/\p{Surrogate}/u)
      if (line.endsWith('…')) expect(begin.startsWith(line.slice(0, -1).trimEnd())).toBe(true)
      else expect(line).toBe(begin)
    }),
  )
})

test('a request of millions of words takes little more memory than it has characters', async () => {
  const words = `
    import { titleFrom } from './session/title.ts'
    const content = 'Fix it. '.repeat(4_000_000)
    console.log(titleFrom([{ id: 'u', role: 'user', content, timestamp: '2026-01-01T00:00:00Z' }]))`
  const limit = ['env', 'NODE_OPTIONS=--max-old-space-size=200']
  expect(await run(program(tempFolder(), words), [], limit)).toMatchObject({ code: 0 })
})
