import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { HookEvent, HookLanguage } from '../contract/hooks.ts'
import { isOwnCall } from '../shared/setup/own-call.ts'
import { fieldsOf, textOf } from '../shared/transcript/fields.ts'
import { waitUntilWritten } from './wait-until-written.ts'

/** The hook language of Copilot CLI (1.0.102). This file is part of the hook bundle: it imports only small files. */
export const copilotHooks: HookLanguage = {
  parse: parseCopilotEvent,
  shellsNameSession: true,
  projectSettings: ['.github/hooks/cortext.json'],
  contextFor(event, text, shown) {
    if (event.kind !== 'command' && event.kind !== 'turn-start') return ''
    // `JSON.stringify` leaves out a key whose value is undefined.
    return JSON.stringify({ systemMessage: shown, additionalContext: text + hintFor(event) })
  },
  messageFor: (_event, text) => JSON.stringify({ systemMessage: text }),
  // The client shows the person nothing of an answer. It shows what a hook writes to stderr if the hook exits with 2.
  // The line in facts.ts makes a 2 of our exit code.
  printed(answer) {
    const { systemMessage, ...rest } = fieldsOf(JSON.parse(answer))
    if (systemMessage === undefined) return { stdout: answer }
    const stdout = Object.keys(rest).length === 0 ? '' : JSON.stringify(rest)
    return { stdout, stderr: `${systemMessage}\n`, exitCode: SHOWN }
  },
  awaitWritten({ transcript, time }: CopilotEvent) {
    // Before it runs a hook, the client puts an event with this time after all that has happened. It writes both while
    // the hook runs.
    if (time !== undefined && transcript !== '') waitUntilWritten(transcript, `"timestamp":${time}`)
  },
}

/** The exit code of our hook when the person shall see its stderr. Shells use it for nothing. */
export const SHOWN = 42

/**
 * Reads the event of a Copilot CLI hook from its stdin payload and its environment. The client runs hooks with the names
 * of Claude Code's events, and gives them payloads of that form, which name the event. Never throws: a payload that it
 * does not understand is an event of kind `other`.
 */
export function parseCopilotEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent {
  const fields = fieldsOf(payload)
  // VS Code runs the hooks in `.github/hooks` too. A subagent's events have an id of the subagent for a session id.
  const isOurs = Boolean(env.COPILOT_CLI) && fields.agent_id === undefined
  const name = isOurs ? textOf(fields.hook_event_name) : ''
  const typed = name === 'UserPromptSubmit' ? typedCommand(textOf(fields.prompt)) : undefined
  const nativeId = textOf(fields.session_id)
  const own = ownFolder(env)
  const event: CopilotEvent = {
    kind: typed === undefined ? (KINDS[name] ?? 'other') : 'command',
    nativeId,
    transcript: textOf(fields.transcript_path) || transcriptOf(nativeId, own),
    cwd: textOf(fields.cwd),
  }
  if (typed !== undefined) {
    const { command, args, expanded } = typed
    Object.assign(event, { command, args, opensTurn: true })
    if (!expanded) event.instructions = instructionsOf(command, own)
  }
  if (name === 'PreToolUse' && isShell(fields) && isOwnCall(textOf(fieldsOf(fields.tool_input).command)))
    event.answer = ALLOW
  const time = Date.parse(textOf(fields.timestamp))
  if (!Number.isNaN(time)) event.time = time
  return event
}

interface CopilotEvent extends HookEvent {
  /** On `command`, if the model gets the command as it was typed: the file with its instructions. */
  instructions?: string
  /** When the client ran the hook, in milliseconds since 1970. */
  time?: number
}

const KINDS: Record<string, HookEvent['kind']> = {
  __proto__: null as never,
  UserPromptSubmit: 'turn-start',
  Stop: 'turn-end',
  SessionEnd: 'session-end',
}

function ownFolder(env: Record<string, string | undefined>): string {
  return env.COPILOT_HOME || join(env.HOME || env.USERPROFILE || homedir(), '.copilot')
}

/** Only one of our hooks gets the path of the transcript. */
function transcriptOf(nativeId: string, own: string): string {
  return UUID.test(nativeId) ? join(own, 'session-state', nativeId, 'events.jsonl') : ''
}

/** The file of a command: the person's own, which no clone can write, or else the project's. */
function instructionsOf(command: string, own: string): string {
  const mine = join(own, 'skills', command, 'SKILL.md')
  return existsSync(mine) ? mine : skillFile(command)
}

export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Finds the command that a prompt begins with. In a terminal the hook gets the expanded skill, whose first line names
 * our command. With `-p` the client does not expand a command.
 */
function typedCommand(prompt: string): { command: string; args: string; expanded: boolean } | undefined {
  const [, skill, skillArgs = ''] =
    /<skill-context name="workspace\.[^\n]*\n[^\n]*\n\n\[\/(workspace\.[a-z][a-z0-9-]*)\] ?([^\n]*)\n/.exec(
      prompt,
    ) ?? []
  if (skill !== undefined) return { command: skill, args: skillArgs.trim(), expanded: true }
  const [, command, args = ''] = /^\s*\/(workspace\.[a-z][a-z0-9-]*)(?![\w.:-])([\s\S]*)$/.exec(prompt) ?? []
  return command === undefined ? undefined : { command, args: args.trim(), expanded: false }
}

function hintFor({ command, instructions }: CopilotEvent): string {
  return instructions === undefined
    ? ''
    : ` The instructions of /${command} are in ${instructions}: read them first.`
}

/** The file of a command, relative to the workspace root. */
export function skillFile(command: string): string {
  return `.github/skills/${command}/SKILL.md`
}

/** The client runs the tool without asking the person. */
const ALLOW = JSON.stringify({ permissionDecision: 'allow' })

const isShell = ({ tool_name }: Record<string, unknown>) => /^(?:bash|powershell)$/i.test(textOf(tool_name))
