import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { SHOWN } from '../../../src/clients/copilot/hook-events.ts'
import { livePath } from '../../../src/session/live-path.ts'
import { type Lab, type Run, recordLines, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

test('what a rewind removes from the file stays as it was said, once, and off the path', async () => {
  const { lab, session, path } = await begun()
  await session.turn('one')
  await session.turn('two')
  session.rewind('two')
  await session.turn('three')
  expect(await saved(lab)).toEqual(['one', 'three'])
  expect(everyPrompt(lab, path)).toEqual(['/workspace.brainstorm API', 'one', 'two', 'three'])
  expect(eventsOf(lab, path)).toEqual(['started', 'rewound'])
  // A second rewind goes back over the first one.
  session.rewind('one')
  await session.turn('four')
  expect(await saved(lab)).toEqual(['four'])
  expect(everyPrompt(lab, path)).toEqual(['/workspace.brainstorm API', 'one', 'two', 'three', 'four'])
  const ids = recordLines(lab, path).map((line) => JSON.parse(line).id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a file that is written anew with the same events makes nothing twice', async () => {
  const { lab, session, path } = await begun()
  await session.turn('one')
  await saved(lab)
  const before = recordLines(lab, path)
  session.write(readFileSync(session.transcript, 'utf8').replaceAll('"cost":0.0', '"cost":0'))
  await session.turn('two')
  expect(await saved(lab)).toEqual(['one', 'two'])
  expect(recordLines(lab, path).slice(0, before.length)).toEqual(before)
  expect(eventsOf(lab, path)).toEqual(['started'])
})

test('talk from before the conversation stays out of it, also after a rewind', async () => {
  const lab = await workspaceLab()
  const session = new CopilotSession(lab)
  await session.turn('nobody shall know')
  await session.command('brainstorm', 'API')
  await session.turn('one')
  session.rewind('one')
  await session.turn('two')
  expect(await saved(lab)).toEqual(['two'])
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  expect(recordLines(lab, path).join()).not.toContain('nobody shall know')
})

test('the hook at the end of a turn waits for what the client has not yet written', async () => {
  const { lab, session } = await begun()
  const time = session.said('late', '')
  const stopped = session.hook('Stop', time)
  setTimeout(() => {
    session.append(session.event('assistant.message', { content: 'answer to late' }))
    session.append(session.start('agentStop', time))
  }, 400)
  await stopped
  session.write('')
  // Only the journal has it now.
  expect((await shown(lab, '001')).map(({ content }) => content)).toContain('answer to late')
})

test('two processes that write into one session are both recorded', async () => {
  const { lab, session } = await begun()
  const [a, b] = [session.said('by A', ''), session.said('by B', 'to B')]
  await session.hook('Stop', b, 'agentStop')
  session.append(session.event('assistant.message', { content: 'to A' }))
  await session.hook('Stop', a, 'agentStop')
  await lab.cortext(['save', '001'])
  expect(talk(await shown(lab, '001')).slice(2)).toEqual([
    'user: by A',
    'user: by B',
    'assistant: to B',
    'assistant: to A',
  ])
})

test('a person sees by stderr and an exit code that a conversation is recorded', async () => {
  const lab = await workspaceLab()
  const session = new CopilotSession(lab)
  const run = await session.command('brainstorm', 'API')
  expect(run).toMatchObject({
    code: SHOWN,
    stderr: expect.stringMatching(/^This conversation is being recorded: /),
  })
  expect(JSON.parse(run.stdout)).toEqual({ additionalContext: expect.stringContaining('is open') })
  expect(await session.turn('one')).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

/** Plays Copilot CLI (1.0.102) in a lab without it: writes its events and runs its hooks. */
class CopilotSession {
  readonly id = randomUUID()
  readonly transcript: string
  #clock = Date.now() - 60_000

  constructor(private readonly lab: Lab) {
    this.transcript = join(lab.home, '.copilot', 'session-state', this.id, 'events.jsonl')
    mkdirSync(dirname(this.transcript), { recursive: true })
    this.append(this.event('session.start', { sessionId: this.id, context: { cwd: lab.root } }))
  }

  async turn(prompt: string): Promise<Run> {
    await this.hook('UserPromptSubmit', this.#tick(), 'userPromptSubmitted', { prompt })
    return this.hook('Stop', this.said(prompt, `answer to ${prompt}`), 'agentStop')
  }

  async command(type: string, args: string): Promise<Run> {
    const name = `workspace.${type}`
    const prompt = `<skill-context name="${name}">\nBase\n\n[/${name}] ${args}\n\nBODY\n</skill-context>`
    const run = await this.hook('UserPromptSubmit', this.#tick(), 'userPromptSubmitted', { prompt })
    await this.hook('Stop', this.said(`/${name} ${args}`, 'Begun.'), 'agentStop')
    return run
  }

  /** Writes a prompt and its answer; the time of the hook that follows. */
  said(prompt: string, answer: string): number {
    this.append(this.event('user.message', { content: prompt, transformedContent: prompt }))
    this.append(this.event('session.usage_record', {}).replace('{}', '{"cost":0.0}'))
    if (answer !== '') this.append(this.event('assistant.message', { content: answer }))
    return this.#tick()
  }

  /** Removes a prompt and all that follows, and writes the rest anew. */
  rewind(prompt: string): void {
    const lines = readFileSync(this.transcript, 'utf8').split(/(?<=\n)/)
    const kept = lines.slice(
      0,
      lines.findIndex((line) => line.includes(`"content":"${prompt}"`)),
    )
    this.write(kept.join('').replaceAll('"cost":0.0', '"cost":0'))
    this.append(this.event('session.info', { infoType: 'rewind', message: 'Rewound.' }))
  }

  /** @param type in the client's own words, if it writes the event of the hook before it runs the hook. */
  hook(name: string, time: number, type = '', more: object = {}): Promise<Run> {
    if (type !== '') this.append(this.start(type, time))
    const payload = {
      hook_event_name: name,
      session_id: this.id,
      timestamp: new Date(time).toISOString(),
      cwd: this.lab.root,
      ...more,
    }
    const env = { COPILOT_CLI: '1' }
    return this.lab.cortext(['hook', 'copilot'], { input: JSON.stringify(payload), env })
  }

  start(hookType: string, timestamp: number): string {
    return this.event('hook.start', { hookType, input: { timestamp } })
  }

  event(type: string, data: object): string {
    const timestamp = new Date(this.#tick()).toISOString()
    return `${JSON.stringify({ type, data, id: randomUUID(), timestamp, parentId: null })}\n`
  }

  append(line: string): void {
    appendFileSync(this.transcript, line)
  }

  write(text: string): void {
    writeFileSync(this.transcript, text)
  }

  #tick(): number {
    return ++this.#clock
  }
}

async function begun() {
  const lab = await workspaceLab()
  const session = new CopilotSession(lab)
  await session.command('brainstorm', 'API')
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  return { lab, session, path }
}

/** Saves the conversation. What was said on its path after the command. */
async function saved(lab: Lab): Promise<string[]> {
  const { path } = await lab.json<{ path: string }>(['save', '001', '--json'])
  const live = livePath(recordLines(lab, path).map((line) => JSON.parse(line)))
  return live
    .filter(({ role }) => role === 'user')
    .map(({ content }) => String(content))
    .slice(1)
}

function everyPrompt(lab: Lab, path: string): string[] {
  const lines = recordLines(lab, path).map((line) => JSON.parse(line))
  return lines.filter(({ role }) => role === 'user').map(({ content }) => content)
}

function eventsOf(lab: Lab, path: string): string[] {
  return recordLines(lab, path).flatMap((line) => JSON.parse(line).event ?? [])
}
