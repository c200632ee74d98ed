import { describe, expect, it } from 'vitest'
import { type ClientId, clientList } from '../../src/clients/index.ts'
import { LONG } from '../helpers/long.ts'
import { type Driver, openClients } from './clients-lab.ts'
import { allText } from './model-request.ts'
import { text } from './reply.ts'
import { saidIn, textIn } from './workspace-lab.ts'

/** What a person says at the end of each conversation, and the part of it that the next agent has to know. */
const STORIES = [
  { topic: 'Quokka', words: 'REST it is. Let us stop here.', decided: 'REST it is' },
  { topic: 'Narwhal', words: "let's stop here, I need to go" },
  { topic: 'Ocelot', words: "that's enough for today, thanks" },
  { topic: 'Tapir', words: 'We take GraphQL then. Please save this, I have to leave.', decided: 'GraphQL' },
  { topic: 'Wombat', words: 'I need to go now. We can pick this up tomorrow.' },
].slice(0, LONG ? 5 : 1)

const CLIENTS = clientList().map(({ id }) => id as ClientId)
const GOODBYE = /Session saved|agent stop|Farewell/

describe('S0-D6c S0-D6d S1-005d: a stop in words leaves nothing unsaved and hands on the decision and no goodbye', () => {
  it.each(CLIENTS)('in %s', async (id) => {
    await using lab = await openClients(id)
    const client: Driver = lab[id]
    // In Pi, what begins a conversation is not in the text that was typed last.
    lab.model.script((request) => {
      const begun = STORIES.findLast(({ topic }) => allText(request).includes(topic))
      return begun && `Begun ${begun.topic}.`
    })
    for (const { topic, words } of STORIES) {
      lab.model.when(`What of ${topic}`, `A ${topic} is shy.`)
      const call = client.stop(`We were at the ${topic}.`)
      lab.model.when(words, [text(`The ${topic} is decided.`), call], `Farewell, ${topic}.`)
    }
    const terminal = await client.open()
    for (const { topic, words } of STORIES) {
      await client.say(terminal, `${client.typed('workspace.brainstorm')} ${topic}`, `Begun ${topic}.`)
      await client.say(terminal, `What of ${topic}`, `A ${topic} is shy.`)
      await client.say(terminal, words, `Farewell, ${topic}.`)
    }
    await client.leave(terminal)

    expect(lab.conversations()).toHaveLength(STORIES.length)
    const seen = [['list'], ['--json', '--not-saved'], ['doctor'], ['resume', '--list']]
    for (const args of seen) {
      const { stdout, stderr } = await lab.cortext(args)
      expect(stdout + stderr).not.toMatch(
        /import \w+ \S*\w{8}|in no conversation|after the stop of|said in 00/,
      )
    }
    expect(JSON.parse((await lab.cortext(['list', '--json'])).stdout)).toMatchObject({ not_saved: [] })
    for (const [index, { topic, words, decided }] of STORIES.entries()) {
      const path = lab.conversations()[index]!
      expect(lab.session(path)).toMatchObject({
        status: 'paused',
        context_summary: `We were at the ${topic}.`,
      })
      const messages = lab.messages(path)
      expect(saidIn(messages)).toContain(`user: ${words}`)
      expect(
        messages.some(
          ({ role, content }) => role === 'assistant' && textIn(content).includes(`The ${topic} is decided.`),
        ),
      ).toBe(true)
      expect(saidIn(messages).join('\n')).not.toContain('Farewell')
      const dry = await lab.cortext(['resume', `00${index + 1}`, '--dry-run'])
      expect(dry.stdout + dry.stderr).not.toMatch(/not saved|not complete/i)
      const printed = (await lab.cortext(['resume', `00${index + 1}`, '--print'])).stdout
      const given = printed.slice(printed.indexOf('[RESUMED CONVERSATION]'))
      expect(given).toContain(`The ${topic} is decided.`)
      expect(given).not.toMatch(GOODBYE)
      if (decided !== undefined) expect(given).toContain(decided)
      else expect(given).not.toContain(words)
    }
  })
})
