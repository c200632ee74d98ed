import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Driver, openPrivate } from './clients-lab.ts'
import type { Lab } from './lab.ts'
import { allText } from './model-request.ts'
import type { Terminal } from './terminal.ts'
import { type LabWorkspace, saidIn } from './workspace-lab.ts'

const REMOTES = ['https://forge.example/team/thing.git', 'git@forge.example:team/thing.git']

it('Q-14: begun on Monday in Claude Code, gone on with on Thursday on another machine in Codex CLI, and on Friday on the first one', async () => {
  await using monday = await openPrivate('claude')
  await using thursday = await openPrivate('codex')
  const [here, there] = [new Machine(monday, monday.claude), new Machine(thursday, thursday.codex)]
  for (const [index, { lab }] of [here, there].entries())
    lab.git('remote', 'set-url', 'origin', REMOTES[index]!)
  const before = [here, there].map(({ lab }) => projectOf(lab))
  const place = join(monday.folder, 'place.git')

  let terminal = await here.client.open()
  await here.says(terminal, `${here.client.typed('workspace.brainstorm')} API design`, 'Who calls it?')
  await here.says(terminal, 'Three teams call us.', 'REST, then.')
  writeFileSync(join(monday.project, here.path(), 'brainstorm.md'), '# API design\n\nREST\n')
  await here.stops(terminal, 'leaning toward REST')
  expect((await monday.cortext(['sync', '--to', place])).stdout).toContain('1 conversation sent')

  // By ssh, which is played by a program that runs the far side here.
  const synced = await thursday.cortext(['sync', '--to', `git@host.example:${place}`])
  expect(synced.code, 'a host that nobody knows').not.toBe(0)
  const ssh = join(thursday.bin, 'ssh')
  writeFileSync(ssh, '#!/bin/sh\n[ "$1" = -G ] && exit 1\nfor last; do :; done\nexec sh -c "$last"\n')
  chmodSync(ssh, 0o755)
  expect((await thursday.cortext(['sync', '--to', `git@host.example:${place}`])).stdout).toContain(
    '1 conversation new here',
  )
  expect(readFileSync(join(thursday.project, there.path(), 'brainstorm.md'), 'utf8')).toContain('REST\n')
  terminal = thursday.terminal(['cortext', 'resume', '1', '--in', 'codex'], { cols: 140 })
  await there.client.ready(terminal)
  await there.says(terminal, 'And errors?', 'As problem details.')
  const asked = allText(thursday.model.requests.at(-1)!)
  for (const words of ['Three teams call us.', 'REST, then.', 'leaning toward REST', 'You are the person'])
    expect(asked).toContain(words)
  await there.stops(terminal, 'errors are problem details')
  expect((await thursday.cortext(['sync'])).stdout).toContain('1 conversation sent')

  expect((await monday.cortext(['sync'])).stdout).toContain('1 conversation changed here')
  terminal = monday.terminal(['cortext', 'resume', '1', '--in', 'claude', '--mode', 'handoff'], { cols: 140 })
  await here.client.ready(terminal)
  await here.says(terminal, 'And paging?', 'By cursor.')
  expect(allText(monday.model.requests.at(-1)!)).toContain('As problem details.')
  await here.stops(terminal, 'paging by cursor')
  await monday.cortext(['sync'])
  await thursday.cortext(['sync'])

  const said = [here, there].map(({ lab }) =>
    saidIn(lab.messages()).filter((line) => line.startsWith('user: ')),
  )
  expect(said[0]).toEqual([
    `user: ${here.client.typed('workspace.brainstorm')} API design`,
    'user: Three teams call us.',
    'user: And errors?',
    'user: And paging?',
  ])
  expect(said[1]).toEqual(said[0])
  expect([here, there].map(({ lab }) => projectOf(lab))).toEqual(before)
})

/** A person at one of the two machines. */
class Machine {
  readonly path = () => this.lab.conversations()[0]!

  constructor(
    readonly lab: Lab & LabWorkspace,
    readonly client: Driver,
  ) {}

  async says(terminal: Terminal, words: string, answer: string): Promise<void> {
    this.lab.model.when(words.replace(/^\S+ API/, 'API'), answer)
    await this.client.say(terminal, words, answer)
  }

  async stops(terminal: Terminal, summary: string): Promise<void> {
    this.lab.model.when(
      /save and stop this conversation|^\$workspace-stop-conversation/,
      this.client.stop(summary),
      'Saved.',
    )
    await this.client.say(terminal, `${this.client.typed('workspace.stop-conversation')} `, 'Saved.')
    await this.client.leave(terminal)
  }
}

/** What the project's own git has and sees. */
function projectOf(lab: LabWorkspace): string {
  return [lab.git('for-each-ref'), lab.git('count-objects', '-v'), lab.git('status', '--porcelain')].join(
    '\n',
  )
}
