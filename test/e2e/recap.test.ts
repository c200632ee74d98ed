import { appendFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { ClientId } from '../../src/clients/index.ts'
import { ejected } from '../helpers/ejected.ts'
import { LONG } from '../helpers/long.ts'
import { openClients, openThreeClients } from './clients-lab.ts'
import { allText } from './model-request.ts'
import type { Terminal } from './terminal.ts'
import { STOP_BODY, saidIn, stopWith } from './workspace-lab.ts'

const ASKED = 'We have three teams, and each wants other fields.'
const SUMMARY =
  'We were exploring REST vs GraphQL, leaning toward REST for simplicity; open is how the two slowest calls select their fields.'
const ANSWER = `REST stays **one** call per screen, see [the sketch](sketch.md).

\`\`\`ts
get('/orders?fields=id,total')
\`\`\`

Shall we try field selection on the two slowest calls first?`

const RECAP = [
  '[Resuming "API design"] brainstorm, 4 messages, just now',
  `- Where it stood: ${SUMMARY}`,
  `- You said last: "${ASKED}"`,
  '- The answer: "REST stays one call per screen, see the sketch. Shall we try field selection on the two slowest calls first?"',
  '- Changed since: the instructions of /workspace.brainstorm; 1 commit',
].join('')

// promise: That recap is made without a model and is there before you type.
// promise: Nothing is sent to the model before you type.
it.each(LONG ? (['claude', 'gemini', 'opencode'] as const) : (['claude'] as const))(
  'S1-003u: after `cortext resume api` in %s the recap is on the screen before anything is typed, no model was asked for it, and it is not recorded as said',
  async (id) => {
    await using lab = await openThreeClients()
    const client = lab[id]
    const first = await client.open()
    lab.model.when('Topic: API', 'What hurts today?')
    await client.say(first, '/workspace.brainstorm API design', 'What hurts today?')
    lab.model.when('three teams', ANSWER)
    await client.say(first, ASKED, 'slowest calls first?')
    lab.model.when(STOP_BODY, client.shell(stopWith(SUMMARY)), 'Saved.')
    await client.say(first, '/workspace.stop-conversation ', 'Saved.')
    await client.leave(first)
    appendFileSync(ejected(lab.project, 'commands/workspace.brainstorm.md'), '\nBe brief.\n')
    lab.git('add', '.workspace/commands')
    lab.git('commit', '--quiet', '--all', '--message', 'shorter')
    const asked = lab.model.requests.length

    const terminal = lab.terminal(['cortext', 'resume', 'api'], { cols: 80, rows: 24 })
    await client.ready(terminal)
    await terminal.waitFor('Changed since')
    expect(shownBy(terminal)).toContain(RECAP.replace(/\s/g, ''))
    expect(lab.model.requests).toHaveLength(asked)
    // At its start Gemini CLI asks for a line on the session before, for its own list.
    expect(lab.model.sideRequests.map(allText).join('\n')).not.toContain('Where it stood')

    lab.model.when('we go on', 'On we go.')
    await client.say(terminal, 'we go on', 'On we go.')
    expect(allText(lab.model.requests.at(-1)!).split('- Where it stood: ')).toHaveLength(2)
    await client.leave(terminal)
    expect(saidIn(lab.messages()).slice(4)).toEqual(['user: we go on', 'assistant: On we go.'])
    const context = await lab.cortext(['context', 'api'])
    expect(context.stdout).toContain('On we go.')
    expect(context.stdout).not.toContain('Where it stood')
  },
)

/** The clients that show at once what our hook says at the start of a session that they resume. */
const SHOWING: ClientId[] = LONG ? ['claude', 'gemini', 'opencode', 'pi'] : ['claude', 'opencode']

// promise: The client says at its start where it stood and what has changed since.
it.each(SHOWING)(
  'S1-003u: a native resume in %s shows the recap once, inside the client; no model gets it, and it is not recorded',
  async (id) => {
    await using lab = await openClients(id)
    const client = lab[id]
    const first = await client.open()
    await client.say(first, `${client.typed('workspace.brainstorm')} API design`, 'Scripted answer')
    lab.model.when('three teams', 'REST stays one call.')
    await client.say(first, ASKED, 'REST stays one call.')
    await client.leave(first)
    await lab.cortext(['stop', '1', '--summary', SUMMARY])
    const asked = lab.model.requests.length
    const before = lab.messages().length

    const terminal = lab.terminal(['cortext', 'resume', 'api'], { cols: 120, rows: 40 })
    await client.readyAgain(terminal)
    await terminal.waitFor('Where it stood')
    expect(terminal.screen().split('Where it stood')).toHaveLength(2)
    expect(terminal.screen()).toContain('[Resuming "API design"] brainstorm, 4 messages')
    expect(lab.model.requests).toHaveLength(asked)

    lab.model.when('we go on', 'On we go.')
    await client.say(terminal, 'we go on', 'On we go.')
    expect(allText(lab.model.requests.at(-1)!)).not.toContain('Where it stood')
    await client.leave(terminal)
    expect(saidIn(lab.messages().slice(before))).toEqual(['user: we go on', 'assistant: On we go.'])
  },
)

/** The screen without the lines that a client draws and without space, since each client breaks lines elsewhere. */
function shownBy(terminal: Terminal): string {
  return terminal.screen().replace(/[─-▟✦●\s]/g, '')
}
