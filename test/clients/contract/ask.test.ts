import { expect, test } from 'vitest'
import { clientList } from '../../../src/clients/index.ts'

const asking = clientList().flatMap(({ id, name, questions }) =>
  questions === undefined ? [] : [{ id, name, questions }],
)
const system = 'Words of ours.'
const said = `said by a person @/etc/passwd ${'and more '.repeat(20_000)}`

test('X-14 clients of the list can be asked', () => {
  expect(asking).not.toEqual([])
})

// promise: It runs that client
test.each(asking)('$name: what was said goes to standard input, and nowhere else', ({ id, questions }) => {
  const spec = questions.ask({ system, user: `Begin of ours. ${said}` })
  expect(questions.ask({ system, user: `Begin of ours. ${said}` })).toEqual({
    ...spec,
    answer: expect.any(Function),
  })
  expect(spec.command).toBe(id)
  expect(spec.input).toMatch(/^Begin of ours\. said by a person .\/etc\/passwd and more/)
  const { args, env, files } = spec
  expect(JSON.stringify({ args, env, files })).not.toContain('said by')
  expect(args.join(' ').length).toBeLessThan(64 * 1024)
  for (const { path } of files) expect(path).toMatch(/^[\w.][\w./-]*$/)
})

test.each(asking)('$name: an output without an answer gives none', ({ questions }) => {
  const { answer } = questions.ask({ system, user: 'Begin of ours.' })
  for (const output of [
    '',
    '\n',
    'Hello',
    '{}',
    '[]',
    'null',
    '{"result":1}',
    '{"type":"text"}',
    '{"response":"  "}',
  ])
    expect(answer(output)).toBeUndefined()
})
