import { describe, expect, test } from 'vitest'
import {
  answerLine,
  lastTellingAnswer,
  saysNothing,
} from '../../../../src/context/state/said/telling-answer.ts'
import { candidatesIn } from '../../../../src/context/state/telling.ts'
import type { Rarity } from '../../../../src/search/rarity.ts'
import { said } from '../../../session/conversations.ts'

describe('a sentence says nothing by itself', () => {
  test.each([
    'Done.',
    'Perfect!',
    'Great!',
    'All tests pass.',
    'All 42 tests pass now!',
    'All tests pass and linting is clean.',
    'Great, everything works now.',
    'The implementation is complete.',
    'All four comments addressed.',
    'Now let me look at the hook.',
    "I'll check the file first.",
    "Here's what I changed:",
    "You're absolutely right!",
    'Good catch.',
    'Now I have a clear picture.',
    '✅',
  ])('%j', (sentence) => {
    expect(saysNothing(sentence)).toBe(true)
  })

  test.each([
    'Renamed the command to cleanup.',
    'The tests of the parser pass, and the hook now reads the file once.',
    'All dates are stored in UTC.',
    'Shall I commit it?',
    'Done?',
    'It works on Linux alone.',
    'I removed the flag.',
    'They need three.',
    'No duplicates were found.',
  ])('but not %j', (sentence) => {
    expect(saysNothing(sentence)).toBe(false)
  })
})

describe('an answer in one line', () => {
  test.each([
    ['Perfect! All tests pass. The reader skips empty lines.', 'The reader skips empty lines.'],
    ['## Root Cause\n\nThe lock was never freed.', 'The lock was never freed.'],
    ['**Summary**\n\n| a | b |\n|---|---|\n\n- Renamed `a`\n- Removed `b`', 'Renamed `a`; Removed `b`'],
    ['`★ Insight ─────────────`\nTwo phases, one file.\n`─────────────`', 'Two phases, one file.'],
    ['I removed it from [README.md](/home/ann/README.md).', 'I removed it from README.md.'],
    ['Opened the PR.\n\n::git-create-pr{cwd="/home/ann" branch="x"}', 'Opened the PR.'],
    [
      'The path `{{ cmd ... }} x` is drawn again. It is safe.',
      'The path `{{ cmd ... }} x` is drawn again. It is safe.',
    ],
    [
      'Here is how it works.\n\n1. Files that it reads\n- It calls the API for the branch of the pears and reads each file that the branch has.\n\n2. Keys\n- It checks two keys only.\n- So: it uses the old names.',
      'So: it uses the old names.',
    ],
    [
      'Posted: https://x.org/1#c-2\n\nThe fix still runs.',
      'Posted: https://x.org/1#c-2; The fix still runs.',
    ],
    // A list that is itself the answer.
    [
      'You have these agents:\n\n1. **planner** - Plans\n   - much\n2. **runner** - Runs\n\nThey work alone.',
      'You have these agents: planner; runner. They work alone.',
    ],
    [
      'It has two ways:\n- **Slow:** one by one\n- Fast: all',
      'It has two ways: Slow: one by one; Fast: all.',
    ],
    [
      'The pears are counted. It needs:\n- a file\n- a line',
      'The pears are counted. It needs: a file; a line.',
    ],
    // Where nothing else was said, that is shown.
    ['Done.', 'Done.'],
    // A line that many ways of reading would fit.
    [`Build ${'10'.repeat(40)} x.`, `Build ${'10'.repeat(40)} x.`],
    ['# Root Cause', 'Root Cause'],
    ['', ''],
  ])('%j', (text, line) => {
    expect(answerLine(text, 100)).toBe(line)
  })

  test('has the first and the last sentence that tell something, within its length', () => {
    const long = `Great! The reader skips empty lines. ${'It is a long story. '.repeat(20)}Shall I commit it?`
    expect(answerLine(long, 80)).toBe('The reader skips empty lines. … Shall I commit it?')
    // A sentence that is cut may say the opposite.
    const good = `Both are good ${'and well made '.repeat(10)}but not ready.`
    expect(answerLine(`Read it all. Two findings. ${good}`, 80)).toBe('Read it all. … Two findings.')
    expect(answerLine('word '.repeat(100), 40).length).toBeLessThanOrEqual(41)
  })

  test('ends with the question that the answer asks at its end, in any language, never with one from its middle', () => {
    const plan = `Confirmado: a pasta tem outro nome. ${'É uma longa história. '.repeat(20)}Remover o modelo? ${'Criar os testes de cada parte do plano novo. '.repeat(9)}Confirma o plano (com ou sem os pontos 4.1 e 4.2), para eu começar?`
    expect(answerLine(plan, 120)).toBe(
      'Confirmado: a pasta tem outro nome. … Confirma o plano (com ou sem os pontos 4.1 e 4.2), para eu começar?',
    )
    expect(answerLine(plan, 80)).toBe('Confirma o plano (com ou sem os pontos 4.1 e 4.2), para eu começar?')
    const told = `Keep it? ${'It is a long and well told story that goes on and on without an end. '.repeat(9)}`
    expect(answerLine(`The lock was freed at last, and early. ${told}`, 80)).toBe(
      'The lock was freed at last, and early.',
    )
  })

  test.each([
    // A question before the list of its options, or before one more sentence.
    [
      'The folder holds nothing. What kind of orchard do you want to plant?\n\n- Apples, with a fence around all of them\n- Something else?',
      'The folder holds nothing. What kind of orchard do you want to plant?',
    ],
    [
      'Many orchards have that name, here and elsewhere. Could you tell me which one you mean? Then I can help.',
      'Many orchards have that name, here and elsewhere. … Could you tell me which one you mean?',
    ],
    // A plea without a question mark.
    [
      'Isto é um problema para o pomar. Não posso criar pastas aqui. Por favor, diga se existe outro caminho.',
      'Isto é um problema para o pomar. … Por favor, diga se existe outro caminho.',
    ],
    // The whole first sentence, and no piece of another one that may say the opposite with it.
    [
      'I am the tool that fits best for the pears, in every year of them. It is not made for that. It only counts.',
      'I am the tool that fits best for the pears, in every year of them. … It only counts.',
    ],
    // A short one alone says little.
    [
      'Gone. The file was a device name that no program could open, so it took its long path to delete it. '.repeat(
        2,
      ),
      'Gone. The file was a device name that no program could open, so it took its long path to…',
    ],
    // An item stands before the only sentence, which offers more.
    [
      '- All answers are in English, as the rules of the project say\n\nWould you like me to read any of the rules?',
      'All answers are in English, as the rules of the… Would you like me to read any of the rules?',
    ],
    // What was left out between two sentences is shown.
    [
      'The guide is written!\n\n## Steps\n\n1. Commit it.\n2. Push it.\n\nThen press "Redeploy" in the panel.',
      'The guide is written! … Then press "Redeploy" in the panel.',
    ],
    // An offer is no answer.
    [
      '### The model that came last\n\n- It is called Pear 3 and draws worlds in `**/*.md`\n\nIf you need details, just let me know!',
      'It is called Pear 3 and draws worlds in `**/*.md`',
    ],
    // What a short question is about stands before it.
    [
      'Committed, in three parts. Each of the parts builds by itself now. The copies are not pushed. Want me to delete them?',
      'Committed, in three parts. … The copies are not pushed. Want me to delete them?',
    ],
    // What was asked, before what the answer comes to.
    [
      '**Issue [#7](https://a.b/7)** asks for an archive of all the pears of the garden.\n\nOthers have none.\n\n**Best path:** a new step packs the pears into an archive at each release.',
      'Best path: a new step packs the pears into an archive at each release.',
    ],
    // A heading, and a full stop that ends no sentence.
    [
      'Thanks. I made two fixes that should make the search of pears work:\n\nWhat I fixed\n\n- Keys of the app: they are read.\n\nNext steps\n\n- I can add more, i.e. a file for the keys.',
      'I made two fixes that should make the search of pears work:',
    ],
    [
      'The U.S. garden grows modestly, i.e. by ~3 % in all of its parts. Few trees are planted there in this year.',
      'The U.S. garden grows modestly, i.e. by ~3 % in all of its parts.',
    ],
    // A list has less to say than what stands around it.
    [
      '- Reads a file of prices that are in it\n- Counts\n\nIt does not check the prices of this year.\n\n- Entry is run()\n- Then load() and parse()',
      'It does not check the prices of this year.',
    ],
  ])('tells most with its sentences: %j', (text, line) => {
    expect(answerLine(text, 90)).toBe(line)
  })

  test('says what was done about findings, not the findings that it says to be fixed', () => {
    const review = 'Review:\n\n- **Medium:** delete can leave a `pear` behind.\n- High: no lock is held.'
    expect(answerLine(`${review}\n\nI applied fixes:\n\n- The lock is held in \`a.ts\`.`, 100)).toBe(
      'The lock is held in `a.ts`.',
    )
    expect(answerLine(`${review}\n\nShall I fix them?`, 100)).toContain('delete can leave')
  })

  test('is of the newest text of the last turn that tells something', () => {
    const agent = (id: string, content: string) => said(id, { role: 'assistant', content })
    const turn = [
      said('u'),
      agent('a', 'Removed the flag.'),
      agent('b', 'Now let me test it.'),
      agent('c', 'Done.'),
    ]
    expect(lastTellingAnswer(turn)).toBe('Removed the flag.')
    expect(lastTellingAnswer([...turn, said('v'), agent('d', 'Done.')])).toBe('Done.')
    expect(lastTellingAnswer([said('u')])).toBe('')
  })
})

test('a summary quotes no heading and no "Done." of the agent, and all that a person says', () => {
  const messages = [
    said('u', { content: 'Done.' }),
    said('a', { role: 'assistant', content: '## Root Cause\n\nDone. The lock was never freed.' }),
  ]
  const rarity = { worth: () => 1 } as unknown as Rarity
  expect(candidatesIn(messages, rarity).map(({ text }) => text)).toEqual([
    'Done.',
    'The lock was never freed.',
  ])
})
