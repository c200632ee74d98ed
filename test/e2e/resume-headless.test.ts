import { expect, it } from 'vitest'
import { livePath } from '../../src/session/live-path.ts'
import { openThreeClients } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { allText } from './model-request.ts'
import { bodiesIn, RESUME_BODY, resumeInSession, saidIn } from './workspace-lab.ts'

const BLOCK =
  /\n\[RESUMED CONVERSATION\]\n[\s\S]*\n\[END RESUMED CONTEXT\]\n\n### User\n Topic is API\n\n### Assistant\n I see the API\./

it('S1-003d S0-D4e: /workspace.resume with words, without a terminal, in each client in turn', async () => {
  await using lab = await openThreeClients()
  await keepFromClaude(lab, 'API design', [['Topic is API', 'I see the API.']])
  await keepFromClaude(lab, 'Slow tests', [['Why slow', 'Let us look.']], 'debug')
  const resumed = lab.conversations().find((path) => path.includes('api-design'))!
  const said = ['user: Topic is API', 'assistant: I see the API.']

  for (const client of [lab.claude, lab.opencode, lab.gemini]) {
    const before = lab.model.requests.length
    lab.model.script((request) =>
      allText(request).includes(RESUME_BODY) && !BLOCK.test(allText(request))
        ? client.shell(resumeInSession('api'))
        : undefined,
    )
    const done = await client.headless('workspace.resume', 'api')
    expect(done, `${client.name}: ${done.stderr}`).toMatchObject({ code: 0 })
    const received = lab.model.requests.slice(before).map(allText)
    expect(received.at(-1)).toMatch(BLOCK)
    expect(bodiesIn(received.at(-1)!)).toBe(1)
    // The one request more is the shell call where the client brings nothing along with the command.
    expect(received.length).toBeLessThanOrEqual(2)

    const words = `on we go in ${client.name}`
    const answer = `Scripted answer ${lab.model.requests.length + 1}.`
    expect((await client.goOn(words)).stdout).toContain(answer)
    await lab.settled()
    said.push(`user: ${words}`, `assistant: ${answer}`)
    expect(saidIn(livePath(lab.messages(resumed)))).toEqual(said)
    expect(lab.session(resumed)).toMatchObject({ status: 'paused', agent_config: { client: client.id } })
    expect(lab.conversations()).toHaveLength(2)
  }
})
