import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Lab } from './lab.ts'
import type { Block } from './reply.ts'
import { stopWith } from './workspace-lab.ts'

/** What an agent may run without a yes, in all clients. The last one pauses the conversation. */
export const FORMS = {
  start: 'cortext agent start brainstorm --title "API design > it\'s"',
  list: 'cortext agent list',
  show: 'cortext agent show api --messages --json',
  search: "cortext agent search Überblick 'a > b; c'",
  quoted: 'cortext agent search "it\'s"',
  save: 'cortext agent save',
  stop: stopWith("a > b; it's c"),
}

/** What looks like it and is more, or other. None of it may run: `y` stands for what the agent is after. */
export const NEIGHBOURS = {
  redirection: 'cortext agent list > y',
  'redirection behind two spaces': 'cortext  agent list > y',
  'redirection behind a tab': 'cortext\tagent list > y',
  'redirection behind a broken line': 'cortext \\\nagent list > y',
  'redirection of a group': '(cortext agent list) > y',
  substitution: 'cortext agent search $(touch y)',
  'substitution in quotes': 'cortext agent search "`touch y`"',
  'environment prefix': 'NODE_OPTIONS=--require=./y.cjs cortext agent list',
  'here-document that is looked into': 'cortext agent stop <<X\n$(touch y)\nX',
  chain: 'cortext agent list && touch y',
  pipe: 'cortext agent list | tee y',
  background: 'cortext agent list & touch y',
  newline: 'cortext agent list\ntouch y',
  'behind a here-document': "cortext agent stop <<'X'\nx\nX\ntouch y",
  'nested argument': 'sh -c "cortext agent list; touch y"',
  'quoted name': '"cortext agent" list',
  'quoted word': 'cortext "agent" list',
  'another word': 'cortext agentlist',
  'other verb': 'cortext delete 001 --yes',
  'verb that prints and starts': 'cortext resume --print --new --in claude',
  'verb that asks a model': 'cortext context 001 --summarize-with claude',
  'verb that commits': 'cortext save --commit',
}

/** What a rule about words cannot see, and the verb itself refuses. */
export const REFUSED = {
  'further flag': 'cortext agent stop --discard',
  'flag of the same verb': 'cortext agent context 001 --summarize-with claude',
  'verb that is none of these': 'cortext agent delete 001',
}

/** One tool call of the model, and what became of it when nobody was there to say yes. */
export interface Unasked {
  /** Each `cortext` that ran: its exit code and its arguments. */
  ran: string[]
  /** Files of the project that are there now and were not before. */
  made: string[]
}

/** The same names, with what `to` makes of each value. */
export function mapped<Name extends string, To>(values: Record<Name, string>, to: (value: string) => To) {
  return Object.fromEntries(
    Object.entries<string>(values).map(([name, value]) => [name, to(value)]),
  ) as Record<Name, To>
}

/** These calls ran, and did what they should. */
export function ranWell<Name extends string>(done: Record<Name, Unasked>, names: readonly Name[]): void {
  for (const name of names)
    expect(done[name], name).toEqual({ ran: [expect.stringMatching(/^0 agent /)], made: [] })
}

/** None of these calls ran. */
export function ranNot<Name extends string>(done: Record<Name, Unasked>, names: readonly Name[]): void {
  for (const name of names) expect(done[name], name).toEqual({ ran: [], made: [] })
}

/** These calls ran, and cortext would not do what they asked for. */
export function wereRefused<Name extends string>(done: Record<Name, Unasked>, names: readonly Name[]): void {
  for (const name of names)
    expect(done[name], name).toEqual({ ran: [expect.stringMatching(/^[12] agent /)], made: [] })
}

/** The names of some calls. */
export function namesOf<Name extends string>(calls: Record<Name, unknown>): Name[] {
  return Object.keys(calls) as Name[]
}

/**
 * Lets the model make these tool calls one after the other, in one session that `run` starts, and tells what each of
 * them did. One start of a client serves all of them; Gemini CLI takes more than 30 in one turn for a loop.
 */
export async function callInTurn<Name extends string>(
  lab: Lab,
  calls: Record<Name, Block>,
  run: (said: string) => Promise<unknown>,
): Promise<Record<Name, Unasked>> {
  const log = recordCalls(lab)
  const names = namesOf(calls)
  const states: { ran: string[]; files: string[] }[] = []
  lab.model.script(() => {
    const next = names[states.length]
    states.push({ ran: log(), files: filesOf(lab.project) })
    return next === undefined ? 'All were called.' : [calls[next]]
  })
  await run('Please go on.')
  if (states.length <= names.length) throw new Error(`the turn ended at ${names[states.length - 1]}`)
  const told = names.map((name, n): [Name, Unasked] => {
    const [before, after] = [states[n]!, states[n + 1]!]
    const made = after.files.filter((file) => !before.files.includes(file))
    return [name, { ran: after.ran.slice(before.ran.length), made }]
  })
  return Object.fromEntries(told) as Record<Name, Unasked>
}

/** Puts a program that takes notes before the lab's cortext. Hooks and plugin call it too: those calls are left out. */
function recordCalls(lab: Lab): () => string[] {
  const [program, own, log] = [
    join(lab.bin, 'cortext'),
    join(lab.folder, 'cortext'),
    join(lab.folder, 'calls'),
  ]
  renameSync(program, own)
  const script = `[ "$1" = hook ] && exec ${own} "$@"\n${own} "$@"; code=$?\necho $code $* >>${log}\nexit $code\n`
  writeFileSync(program, `#!/bin/sh\n${script}`, { mode: 0o755 })
  return () => (existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [])
}

function filesOf(project: string): string[] {
  const ours = /^(\.git|\.opencode|\.claude|\.codex|\.gemini|\.pi|\.github|\.workspace|conversations)(\/|$)/
  return readdirSync(project, { recursive: true, encoding: 'utf8' }).filter((path) => !ours.test(path))
}
