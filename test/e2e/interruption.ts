import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { Message } from '../../src/session/schema.ts'
import { type Reply, text } from './reply.ts'
import type { Terminal } from './terminal.ts'
import { type LabWorkspace, saidIn } from './workspace-lab.ts'

/** How a client ends that nobody told to: all of it is killed, all of it is asked to end, its window is closed. */
export type Interruption = 'SIGKILL' | 'SIGTERM' | 'hang-up'

/** A client with a workspace, as far as these checks drive it. */
export interface Driven {
  lab: LabWorkspace & { model: { when(typed: string | RegExp, ...replies: Reply[]): void } }
  /** The client in a terminal, by its own name; then by `cortext resume -c`. */
  begin(): Promise<Terminal>
  /** What is typed to begin a conversation, without its title; `/workspace.brainstorm` where it is left out. */
  command?: string
  resume(): Promise<Terminal>
  say(terminal: Terminal, typed: string, answer: string): Promise<void>
  /** Whether something that was said is on the client's own disk. */
  written(said: string): boolean
}

/**
 * Holds one conversation, which is interrupted again and again, and resumed each time: after two turns at rest, and
 * in the middle of an answer. Each time nothing is missing, nothing is there twice, and it goes on natively.
 */
export async function interruptAgainAndAgain(
  client: Driven,
  interruptions: readonly (readonly [Interruption, 'at rest' | 'in a turn'])[],
): Promise<void> {
  const { lab, command = '/workspace.brainstorm' } = client
  const said: string[] = []
  for (const [n, [how, when]] of interruptions.entries()) {
    const terminal = n === 0 ? await client.begin() : await client.resume()
    const prompts = n === 0 ? [`${command} API design`, 'second question'] : [`question ${n} after it`]
    for (const prompt of prompts) {
      const answer = `Answer to ${prompt.slice(-9)} ${n}.`
      lab.model.when(prompt.replace('/workspace.brainstorm ', 'Topic: '), answer)
      await client.say(terminal, prompt, answer)
      await expect.poll(() => client.written(answer)).toBe(true)
      said.push(`user: ${prompt}`, `assistant: ${answer}`)
    }
    if (when === 'in a turn') {
      const typed = `held question ${n}`
      const half = `Half of answer ${n}`
      lab.model.when(typed, { blocks: [text(half), text(' and more')], until: new Promise(() => {}) })
      await client.say(terminal, typed, half)
      await expect.poll(() => client.written(typed)).toBe(true)
      said.push(`user: ${typed}`)
    }
    await interrupt(terminal, how)
    await holds(lab, said, `${how} ${when}`)
  }
}

async function interrupt(terminal: Terminal, how: Interruption): Promise<void> {
  const group = terminal.pid()
  // The whole group, as when the machine goes down: cortext, if it waits for the client, and what the client started.
  if (how === 'hang-up') await terminal.hangUp()
  else {
    process.kill(-group, how)
    await terminal.waitForExit()
  }
  // Cortext can be gone before the client: for that moment the session is open, and a resume would hand over.
  await expect.poll(() => runningIn(group), { timeout: 30_000 }).toEqual([])
}

/** The names of a process group's programs that have not ended; see proc(5). */
function runningIn(group: number): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^[0-9]+$/.test(pid)) return []
    const [name = '', state, , groupOfIt] = statOf(pid)
    return Number(groupOfIt) === group && state !== 'Z' ? [name] : []
  })
}

function statOf(pid: string): string[] {
  try {
    // The name stands in brackets, and may hold any letter.
    const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return [name, ...rest.split(' ')]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

async function holds(lab: LabWorkspace, said: readonly string[], after: string): Promise<void> {
  const listed = JSON.parse((await lab.cortext(['list', '--all', '--json'])).stdout)
  expect(listed.conversations, after).toMatchObject([{ status: 'paused' }])
  const shown = await lab.cortext(['show', '001', '--messages', '--json'])
  expect(wholeIn(JSON.parse(shown.stdout).messages), after).toEqual(said)
  const plan = await lab.cortext(['resume', '-c', '--dry-run', '--json'])
  const { mode, why } = JSON.parse(plan.stdout)
  expect([mode, why], after).toEqual(['native', undefined])
  await lab.settled()
  expect(wholeIn(lab.messages()), after).toEqual(said)
  expect(lab.conversations(), after).toHaveLength(1)
}

/** OpenCode keeps the half of an answer when it is asked to end. */
function wholeIn(messages: readonly Message[]): string[] {
  return saidIn(messages).filter((line) => !line.startsWith('assistant: Half'))
}
