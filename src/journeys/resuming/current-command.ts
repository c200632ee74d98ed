import type { PackCommand } from '../../clients/contract/pack.ts'
import { keepPrompt, keptPrompt } from '../../conversation/keeping/keep-copies.ts'
import type { Conversation } from '../../conversation/read.ts'
import { CortextError } from '../../errors.ts'
import type { SessionFile } from '../../session/schema.ts'
import { removeControls } from '../../text/line.ts'
import { PLAIN_TYPE } from '../../text/plain-type.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type LoadedCommand, loadCommand, sameButSpace } from '../../workspace/pack/commands.ts'

/** A change of a conversation's instructions since the conversation began. */
export interface Change {
  sentence: string
  /** Both versions; undefined if one of them is not on this machine. */
  texts?: { before: string; now: string }
}

/**
 * Returns the command in its present version, and what has changed in it since the conversation began. Of a plain
 * conversation, returns a command without instructions.
 */
export function currentCommand(
  ws: Workspace,
  { session }: Pick<Conversation, 'session'>,
): { command: PackCommand; loaded?: LoadedCommand; change?: Change } {
  const { agent_config: agent, conversation_type: type, key } = session
  const name = agent.command?.replace(/^\//, '') ?? ''
  const loaded = tryLoad(ws.root, name)
  if (loaded === undefined) {
    const isKnown = name !== 'unknown' && isName(name)
    if (type === PLAIN_TYPE) return { command: NONE }
    return {
      command: isKnown ? { ...NONE, name } : NONE,
      change: {
        // An agent loop may name a command that never had a file here.
        sentence: isKnown
          ? `The ${instructionsOf(session)} are not there${key === undefined ? ' any more' : ''}; the conversation goes on without them.`
          : 'The instructions of this conversation are not known, so it goes on without any.',
      },
    }
  }
  const { command, text, hash } = loaded
  const oldHash = agent.system_prompt_hash ?? 'unknown'
  if (oldHash === hash || oldHash === 'unknown') return { command, loaded }
  const before = keptPrompt(ws, oldHash)
  if (before !== undefined && sameButSpace(before, text)) return { command, loaded }
  const sentence = `The ${instructionsOf(session)} have changed since this conversation began; the current version is used.`
  const texts = before === undefined ? {} : { texts: { before, now: text } }
  return { command, loaded, change: { sentence, ...texts } }
}

/**
 * Returns the session with the hash of the command that is about to run, if no version of the command is known to have
 * run before. Keeps a snapshot of this version.
 */
export function withPromptRun(
  ws: Workspace,
  session: SessionFile,
  loaded: LoadedCommand | undefined,
): SessionFile {
  const { system_prompt_hash: hash = 'unknown', unknown: whyUnknown, ...agent } = session.agent_config
  if (loaded === undefined || hash !== 'unknown') return session
  keepPrompt(ws, loaded.text)
  const { system_prompt_hash: _, ...reasons } = whyUnknown ?? {}
  return {
    ...session,
    agent_config: {
      ...agent,
      system_prompt_hash: loaded.hash,
      ...(Object.keys(reasons).length === 0 ? {} : { unknown: reasons }),
    },
  }
}

/**
 * Names a conversation's instructions, as a part of a sentence. Leaves out a name that no command can have, because a
 * record may contain any text.
 */
export function instructionsOf({ agent_config: { command = '' } }: SessionFile): string {
  return `instructions of ${isName(command.replace(/^\//, '')) ? command : 'this conversation'}`
}

/**
 * Whether a text is the name of a command. A record may have any text in its place, and a handoff gives the name to the
 * client as what the person typed.
 */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}_.:-]{1,60}$/u.test(text)
}

/** Shown as what the person typed where there are no instructions: `/workspace.resume`. */
const NONE: PackCommand = { name: 'workspace.resume', description: '', argumentHint: '', body: '' }

/** Returns the lines that differ, as a patch with one line of context; no lines if a version is not on this machine. */
export async function differenceOf({ texts }: Change): Promise<string[]> {
  if (texts === undefined) return []
  const { structuredPatch } = await import('diff')
  const [before, now] = [texts.before, texts.now].map((text) => text.replaceAll('\r\n', '\n'))
  const { hunks } = structuredPatch('', '', before!, now!, '', '', { context: 1 })
  return hunks.flatMap(({ oldStart, newStart, lines }) => [
    `@@ line ${oldStart}, now line ${newStart} @@`,
    ...lines.filter((line) => !line.startsWith('\\')).map(removeControls),
  ])
}

function tryLoad(root: string, name: string): LoadedCommand | undefined {
  try {
    return loadCommand(root, name)
  } catch (error) {
    if (error instanceof CortextError && error.code === 'not-found') return undefined
    throw error
  }
}
