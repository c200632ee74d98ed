import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { type Driver, openClients } from './clients-lab.ts'
import { SOON } from './lab.ts'
import { allText } from './model-request.ts'
import { STOP_BODY, saidIn } from './workspace-lab.ts'

/** What the model reads of the command; Codex CLI gives it the body in a message of its own. */
const STOP = new RegExp(`${STOP_BODY}|^\\$workspace-stop-conversation`)
const TITLE = 'API design'
/** A screen breaks it as it likes. */
const TOLD = 'Not recorded any more: 1 "API design" was stopped.'
const WORDS = ['one more', 'another', 'the last']

/** The moments at which this machine's side is deleted, in the order in which they come. */
const MOMENTS = [
  'the start',
  'a turn',
  'a save',
  'a turn that follows a save',
  'the stop',
  'the first words that follow the stop',
  'the second words',
  'the third words',
  'the end of the client',
  'a look',
] as const
type Moment = (typeof MOMENTS)[number]

/** The usual run deletes at one moment in each of three clients; the long run at all ten in all four. */
const USUAL: Readonly<Record<string, Moment>> = { claude: 'the stop', gemini: 'a save', codex: 'a look' }
const STORIES = (['claude', 'gemini', 'opencode', 'codex'] as const).flatMap((id) =>
  MOMENTS.filter((moment) => LONG || moment === USUAL[id]).map((moment) => [id, moment] as const),
)

// promise: Of a session that
// promise: count what was said
// promise: The recording ends, in
describe('what is said in a client after a stop is seen in list, picker and doctor, and taken in whole by the command that they name', () => {
  it.each(STORIES)('in %s, where this machine’s side is deleted after %s', async (id, deletedAfter) => {
    await using lab = await openClients(id)
    const client: Driver = lab[id]
    const passed = (moment: Moment) => {
      if (moment === deletedAfter) rmSync(join(lab.project, '.git/cortext'), { recursive: true })
    }
    lab.model.when(STOP, client.stop('REST it is.'), 'Saved.')
    lab.model.when(`Topic: ${TITLE}`, 'Answer 0 there.')
    for (const said of ['first of all', 'and then']) lab.model.when(said, `Answer to ${said}.`)
    for (const said of WORDS) lab.model.when(said, `Answer to ${said}.`)

    const terminal = await client.open()
    // A skill's text reaches the model apart from what was typed.
    const answer = id === 'codex' ? 'Scripted answer 1.' : 'Answer 0 there.'
    await client.say(terminal, `${client.typed('workspace.brainstorm')} ${TITLE}`, answer)
    passed('the start')
    await client.say(terminal, 'first of all', 'Answer to first of all.')
    passed('a turn')
    await lab.cortext(['save', '001'])
    passed('a save')
    await client.say(terminal, 'and then', 'Answer to and then.')
    passed('a turn that follows a save')
    await client.say(terminal, client.typed('workspace.stop-conversation'), 'Saved.')
    passed('the stop')
    for (const [at, said] of WORDS.entries()) {
      await client.say(terminal, said, `Answer to ${said}.`)
      if (at === 0 && deletedAfter !== 'the stop')
        await terminal.waitFor((screen) => flat(screen).includes(flat(TOLD)))
      passed(MOMENTS[5 + at]!)
    }
    await client.leave(terminal)
    passed('the end of the client')
    for (const request of lab.model.requests) expect(allText(request)).not.toContain('Not recorded any more')

    const counted = async () => JSON.parse((await lab.cortext(['list', '--json'])).stdout).not_saved
    await expect.poll(async () => (await counted())[0]?.messages, SOON).toBe(6)
    passed('a look')
    const [{ command, client: named }] = await counted()
    expect(named).toBe(id)
    expect((await lab.cortext(['list'])).stderr).toContain('6 messages said after the stop of 1 "API design"')
    expect((await lab.cortext(['--json', '--not-saved'])).stderr).toContain(
      '6 messages are in no conversation',
    )
    const doctor = (await lab.cortext(['doctor'])).stdout
    expect(doctor).toContain('6 messages said after the stop of 1')
    expect(doctor).toContain(command)

    const { code, stdout } = await lab.cortext(command.split(' ').slice(1))
    expect([code, stdout]).toEqual([0, expect.stringContaining('saved now in 1 "API design": 6 messages')])
    const shown = JSON.parse((await lab.cortext(['show', '001', '--messages', '--json'])).stdout)
    const said = saidIn(shown.messages)
    expect(said.slice(-6)).toEqual(
      WORDS.flatMap((words) => [`user: ${words}`, `assistant: Answer to ${words}.`]),
    )
    for (const words of ['first of all', 'and then'])
      expect(said.filter((line) => line === `user: ${words}`)).toHaveLength(1)
    expect(await counted()).toEqual([])
    expect(lab.conversations()).toHaveLength(1)
  })
})

function flat(text: string): string {
  return text.replace(/[\s│┃|]+/g, '')
}
