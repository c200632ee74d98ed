import { CortextError } from '../../errors.ts'
import { currentEnvironment } from '../../io/environment.ts'
import { listConversations } from '../../journeys/finding/list.ts'
import { oneLine, shortLine } from '../../text/line.ts'
import { asWord } from '../../text/paste.ts'
import { openWorkspace, type Workspace } from '../../workspace/open.ts'
import { type Candidate, completionsFor, type VerbTable } from './complete.ts'

/** scripts/build.mjs inserts the table of verbs. */
declare const __VERBS__: VerbTable

/** In characters. */
const MAX_DESCRIPTION = 60

/**
 * The completion scripts run `cortext __complete <shell> <word>…` at every press of Tab, so this program is a bundle of
 * its own and loads little. It prints one word on each line; a tab and a description may follow the word. If the shell
 * must complete a file name, it prints only `:files`. It writes nothing to disk. Outside of a workspace it offers no
 * conversations and no types.
 */
complete(process.argv.slice(4))

function complete(words: readonly string[]): void {
  const ws = workspaceHere()
  const found = completionsFor(__VERBS__, words, {
    conversations: () => (ws === undefined ? [] : conversationsIn(ws)),
    types: () =>
      ws === undefined
        ? []
        : [...ws.types.values()].map(({ name, description }) => ({ word: name, about: description })),
  })
  const lines = found === 'files' ? [':files'] : found.filter(isOneWord).map(lineOf)
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

function workspaceHere(): Workspace | undefined {
  try {
    return openWorkspace(currentEnvironment(), process.cwd(), { looks: true })
  } catch (error) {
    if (error instanceof CortextError) return undefined
    throw error
  }
}

function conversationsIn(ws: Workspace): Candidate[] {
  const { conversations } = listConversations(ws)
  // An id says more than a number where the shell shows no description.
  return conversations.map(({ ownId, title }) => ({ word: ownId, about: title }))
}

/**
 * Whether a shell can take the word without quotes. A record may come from a stranger, and its id may contain anything.
 */
function isOneWord({ word }: Candidate): boolean {
  return asWord(word) === word || /^--?[a-zA-Z][\w-]*(?:=[\w.:-]*)?$/.test(word)
}

function lineOf({ word, about }: Candidate): string {
  const description = shortLine(oneLine(about), MAX_DESCRIPTION)
  return description === '' ? word : `${word}\t${description}`
}
