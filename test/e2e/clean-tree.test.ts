import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { type ClientsLab, type Driver, openClients } from './clients-lab.ts'
import { STOP_BODY } from './workspace-lab.ts'

const STOP = new RegExp(`${STOP_BODY}|^\\$workspace-stop-conversation`)

/** The usual run plays one day; the stations of every-pair.test.ts are clean in all clients. */
const DAYS = LONG ? (['claude', 'opencode', 'gemini', 'codex'] as const) : (['claude'] as const)

/** The working tree stays clean while people talk (README): looked at after every step of a day. */
describe('S0-M2: git sees nothing of ours but documents', () => {
  let lab: ClientsLab<(typeof DAYS)[number]>
  beforeAll(async () => {
    lab = await openClients(...DAYS)
    lab.git('clone', '--quiet', '--bare', '.', '../origin.git')
    lab.git('remote', 'add', 'origin', '../origin.git')
    lab.git('fetch', '--quiet', 'origin')
    lab.git('branch', '--quiet', '--set-upstream-to', `origin/${lab.git('branch', '--show-current')}`)
    lab.git('branch', 'elsewhere')
  })
  afterAll(() => lab.close())

  // promise: While you talk your working
  // promise: so your working tree stays
  // promise: You can pull, rebase, check
  it.each(DAYS)('on a day in %s', async (id) => {
    const client = lab[id]
    const title = `A day in ${id}`
    lab.model.when(new RegExp(`Topic: ${title}|^\\$workspace-brainstorm ${title}`), 'Let us begin.')
    const terminal = await client.open()
    await client.say(terminal, `${client.typed('workspace.brainstorm')} ${title}`, 'Let us begin.')
    expect(lab.seen(), 'started').toEqual([])
    await turn(client, terminal, 'one')
    expect(lab.seen(), 'a turn').toEqual([])
    goesOnInGit(`during ${id}`)
    await turn(client, terminal, 'two')
    lab.model.when(STOP, client.stop('So far.'), 'Saved.')
    await client.say(terminal, `${client.typed('workspace.stop-conversation')} `, 'Saved.')
    expect(lab.status(), 'stopped').toEqual([])
    await client.leave(terminal)
    const path = lab.conversations().at(-1)!

    const again = lab.terminal(['cortext', 'resume', path, '--in', id, '--mode', 'handoff'], {
      cols: 140,
      rows: 42,
    })
    await client.ready(again)
    expect(lab.status(), 'resumed').toEqual([])
    goesOnInGit(`resumed in ${id}`)
    await turn(client, again, 'three')
    await client.leave(again)
    expect(lab.status(), 'left without a stop').toEqual([])
    await lab.cortext(['list', '--all'])
    await lab.cortext(['search', 'three'])
    expect(lab.status(), 'looked at').toEqual([])
    goesOnInGit(`left ${id}`)

    const last = lab.terminal(['cortext', 'resume', path, '--in', id, '--mode', 'handoff'], {
      cols: 140,
      rows: 42,
    })
    await client.ready(last)
    await turn(client, last, 'four')
    last.kill('SIGKILL')
    await last.waitForExit()
    await lab.cortext(['list', '--all'])
    expect(lab.status(), 'killed').toEqual([])
    const { stdout } = await lab.cortext(['show', path, '--messages'])
    for (const word of ['one', 'two', 'three', 'four']) expect(stdout).toContain(`heard ${word} in ${id}`)

    expect(await lab.cortext(['stop', path])).toMatchObject({ code: 0 })
    expect(lab.status(), 'stopped at the end').toEqual([])
  })

  async function turn(client: Driver, terminal: Parameters<Driver['say']>[0], word: string): Promise<void> {
    const asked = `say ${word} in ${client.id}`
    lab.model.when(asked, `I heard ${word} in ${client.id}.`)
    await client.say(terminal, asked, `I heard ${word} in ${client.id}.`)
  }

  /** Somebody has pushed; the person pulls, looks at another branch, and puts work of their own aside. */
  function goesOnInGit(what: string): void {
    const branch = lab.git('branch', '--show-current')
    const file = what.replaceAll(' ', '-')
    lab.git('push', '--quiet', 'origin', branch)
    const theirs = join(lab.folder, `theirs-${file}`)
    lab.git('clone', '--quiet', '../origin.git', theirs)
    writeFileSync(join(theirs, `${file}.txt`), 'theirs')
    lab.git('-C', theirs, 'add', '--all')
    lab.git('-C', theirs, 'commit', '--quiet', '--message', what)
    lab.git('-C', theirs, 'push', '--quiet')
    lab.git('pull', '--quiet', '--rebase')
    lab.git('checkout', '--quiet', 'elsewhere')
    lab.git('checkout', '--quiet', branch)
    writeFileSync(join(lab.project, 'note.txt'), what)
    lab.git('stash', '--quiet')
    lab.git('stash', 'pop', '--quiet')
    lab.git('checkout', '--quiet', '--', 'note.txt')
  }
})
