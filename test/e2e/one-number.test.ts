import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import { LONG } from '../helpers/long.ts'
import { type ClientsLab, openClients } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { allText, toolResults, typedText } from './model-request.ts'
import { resumeInSession } from './workspace-lab.ts'

const LIST = /Here are your resumable conversations:[\s\S]*?\(number or search\)/

/** As a client shows it: OpenCode takes the brackets for a link. */
const SHOWN = /^[^\w\n]*(\d\S*)\. \[?(?:brainstorm|debug|plan)\]? ([A-Z]\w+)\b/gm

/** The usual run asks two clients. */
const CLIENTS: readonly ClientId[] = LONG ? clientList().map(({ id }) => id as ClientId) : ['claude', 'codex']

/** Copies a conversation to another day under another title, so that its number has to be named with the day. */
async function putOnAnotherDay(lab: ClientsLab, title: string, other: string): Promise<void> {
  const { stdout } = await lab.cortext(['list', '--all', '--json'])
  const { conversations } = JSON.parse(stdout) as { conversations: { path: string; title: string }[] }
  const { path } = conversations.find((one) => one.title === title)!
  const folder = join(lab.project, 'conversations/2025-01-02', basename(path))
  cpSync(join(lab.project, path), folder, { recursive: true })
  const file = join(folder, '.session/session.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), title: other }))
}

describe('the number of a conversation is that of its id', () => {
  let lab: ClientsLab
  beforeAll(async () => {
    lab = await openClients(...CLIENTS)
    await keepFromClaude(lab, 'Apples', [['Topic is apples', 'I see apples.']])
    await keepFromClaude(lab, 'Pears', [['Topic is pears', 'I see pears.']], 'debug')
    await keepFromClaude(lab, 'Plums', [['Topic is plums', 'I see plums.']], 'plan')
    await putOnAnotherDay(lab, 'Apples', 'Cherries')
  })
  afterAll(() => lab.close())

  // promise: The name beside a conversation,
  it.each(CLIENTS)(
    'S1-003s S1-003d S1-003c: on the screen of %s, in the order of every list, and as an answer there',
    async (id) => {
      const client = lab[id]
      const { conversations } = JSON.parse((await lab.cortext(['resume', '--list', '--json'])).stdout) as {
        conversations: { name: string; title: string }[]
      }
      const expected = conversations.map((one) => [one.name, one.title])
      // The one that was active last is not asked for, so that the order changes with each client.
      const [number, title] = expected.at(-1) as [string, string]

      // A model that prints what it was given, as its instructions say.
      lab.model.script((request) => {
        // Copilot CLI adds lines with the time, and with reminders.
        const typed = typedText(request).split('\n')
        if (typed.includes(`so we go on with ${title}`)) return 'On we go.'
        if (typed.includes(number))
          return toolResults(request).some((result) => result.includes('[RESUMED CONVERSATION]'))
            ? `[Resuming "${title}"] We were at it.`
            : client.shell(resumeInSession(number))
        if (!allText(request).includes('The person wants to continue an earlier conversation'))
          return undefined
        const list = LIST.exec([allText(request), ...toolResults(request)].join('\n'))?.[0]
        return list ?? client.shell(resumeInSession(''))
      })
      const terminal = await client.open()
      await client.say(terminal, `${client.typed('workspace.resume')} `, '(number or search)')
      const shown = () => [...terminal.history().matchAll(SHOWN)].map(([, one, name]) => [one, name])
      await expect.poll(shown).toEqual(expected)
      await client.say(terminal, number, 'We were at it.')
      expect(toolResults(lab.model.requests.at(-1)!).join('\n')).toMatch(
        new RegExp(`^Conversation: \\w+ / ${title}$`, 'm'),
      )
      await client.say(terminal, `so we go on with ${title}`, 'On we go.')
      await client.leave(terminal)
    },
  )
})
