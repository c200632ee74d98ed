import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { pathOfKey } from '../journeys/agent-loop/by-key.ts'
import { findExact, findToRead } from '../journeys/finding/find.ts'
import { type Listed, listConversations } from '../journeys/finding/list.ts'
import { paste } from '../text/paste.ts'
import { openWorkspace, type Workspace } from '../workspace/open.ts'
import { look, settleAfterGit } from './first-step.ts'
import { note } from './print.ts'
import { branchNotes } from './verbs/list/branch-notes.ts'

/**
 * Checks that a call names a conversation either by an id or words, or by `--key`. Throws `usage` for both and for
 * neither.
 */
export function checkNamed(verb: string, query: string | undefined, key: string | undefined): void {
  if ((query === undefined) !== (key === undefined)) return
  throw new CortextError('usage', 'name one conversation: by an id or by --key', {
    fix: paste`cortext ${verb} <id>`,
  })
}

/** A conversation that a call names: by an id or words, or by `--key`. */
type Call = [environment: Environment, verb: string, query: string | undefined, key?: string | undefined]

/**
 * Opens the workspace and finds the conversation, for a verb that only reads. Reports what a merge has left, and saves
 * conversations that have gone quiet.
 */
export function openToRead(...call: Call) {
  return open(call, look, which)
}

/**
 * Like `openToRead`, but for a verb that changes the conversation. Settles what a merge has left, saves no quiet
 * conversation, and guesses nothing.
 */
export function openToChange(...call: Call) {
  return open(call, settleAfterGit, findExact)
}

async function open(
  [environment, verb, query, key]: Call,
  first: (ws: Workspace) => Promise<void>,
  find: (ws: Workspace, name: string) => Listed,
): Promise<{ ws: Workspace; found: Listed }> {
  checkNamed(verb, query, key)
  const ws = openWorkspace(environment)
  await first(ws)
  try {
    return { ws, found: key === undefined ? find(ws, query!) : withKey(ws, key) }
  } catch (error) {
    throw await withBranches(ws, error)
  }
}

/** Adds to `not-found` what is on other branches. */
async function withBranches(ws: Workspace, error: unknown): Promise<unknown> {
  if (!(error instanceof CortextError) || error.code !== 'not-found') return error
  const { lines } = await branchNotes(ws)
  if (lines.length === 0) return error
  return new CortextError(error.code, [error.message, ...lines].join('\n'), {
    ...(error.fix !== undefined && { fix: error.fix }),
  })
}

/** Finds the conversation with this name, for a verb that only reads. Prints a note if it guesses by title. */
export function which(ws: Workspace, query: string): Listed {
  const { one, guess } = findToRead(ws, query)
  if (guess !== undefined) note(guess)
  return one
}

function withKey(ws: Workspace, key: string): Listed {
  const path = pathOfKey(ws, key)
  return listConversations(ws).conversations.find((one) => one.path === path)!
}
