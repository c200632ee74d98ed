import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { openThreeClients, type ThreeClientsLab } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { toolResults } from './model-request.ts'
import { RESUME_BODY, resumeInSession } from './workspace-lab.ts'

/** Longer than any of the three passes on at once, in lines that their file tools would cut, and in many bytes. */
const PARAGRAPHS = Array.from(
  { length: 9 },
  (_, n) => `${n}: ${'What was said there, word for word. '.repeat(110)}日本語の段落 ${n}.`,
)
/** More lines than OpenCode passes on. */
const SHORT = Array.from({ length: 2_200 }, (_, n) => `l${n}`).join('\n')

describe('/workspace.resume of what is too long for one output of a shell', () => {
  let lab: ThreeClientsLab
  beforeAll(async () => {
    lab = await openThreeClients()
    await keepFromClaude(lab, 'API design', [
      ['Topic is API', `${PARAGRAPHS.join('\n')}\n${SHORT}\nThe end.`],
    ])
  })
  afterAll(() => lab.close())

  it.each(LONG ? (['claude', 'opencode', 'gemini'] as const) : (['claude', 'gemini'] as const))(
    'S1-003k S0-D5l: %s gives its agent all of it, in parts, unasked',
    async (id) => {
      const client = lab[id]
      lab.model.when(RESUME_BODY, 'THE LIST')
      const others = [2, 3, 4, 5].map((n) => client.shell(`cortext agent resume --part ${n}`))
      lab.model.when(/^1$/, client.shell(resumeInSession('1')), ...others, 'We were at it.')
      const asked = lab.model.requests.length
      const terminal = await client.open()
      await client.say(terminal, '/workspace.resume ', 'THE LIST')
      await client.say(terminal, '1', 'We were at it.')
      const results = lab.model.requests.slice(asked).flatMap(toolResults)
      terminal.close()

      const [first = '', ...rest] = results.map(unwrapped)
      const [, count = '0'] = /\[Part 1 of (\d)\. The history goes on/.exec(first) ?? []
      expect(Number(count)).toBeGreaterThan(1)
      const given = [first.slice(0, first.lastIndexOf('\n\n[Part 1 of')), ...rest.slice(0, Number(count) - 1)]
        .map((part) => part.replace(/^\[Part \d of \d\]\n/, '').trimEnd())
        .join('\n')
      for (const paragraph of PARAGRAPHS) expect(given.split(paragraph)).toHaveLength(2)
      expect(given).toContain(`\n ${SHORT.replaceAll('\n', '\n ')}\n The end.`)
    },
  )
})

/** Without what Gemini CLI puts around an output. */
function unwrapped(result: string): string {
  return result
    .replace(/^<untrusted_context>\nOutput: /, '')
    .replace(/\n(Process Group PGID: \d+\n)?<\/untrusted_context>$/, '')
}
