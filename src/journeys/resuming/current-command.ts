import type { PackCommand } from '../../clients/contract/pack.ts'
import { keptPrompt } from '../../conversation/keep-copies.ts'
import { CortextError } from '../../errors.ts'
import type { SessionFile } from '../../session/schema.ts'
import { removeControls } from '../../text/line.ts'
import type { Workspace } from '../../workspace/open.ts'
import { type LoadedCommand, loadCommand, sameButSpace } from '../../workspace/pack/commands.ts'

/** A change of a conversation's instructions since the conversation began. */
export interface Change {
  sentence: string
  /** Both versions; undefined if one of them is not on this machine. */
  texts?: { before: string; now: string }
}

/** Returns the command in its present version, and what has changed in it since the conversation began. */
export function currentCommand(
  ws: Workspace,
  { agent_config: agent, key }: SessionFile,
): { command: PackCommand; change?: Change } {
  const name = agent.command.replace(/^\//, '')
  const loaded = tryLoad(ws.root, name)
  if (loaded === undefined)
    return {
      command: { name: isName(name) ? name : RESUME, description: '', argumentHint: '', body: '' },
      change: {
        sentence:
          agent.command === 'unknown'
            ? 'The instructions of this conversation are not known, so it goes on without any.'
            : `The ${instructionsOf(agent.command)} are not there${key === undefined ? ' any more' : ''}; the conversation goes on without them.`,
      },
    }
  const { command, text, hash } = loaded
  const oldHash = agent.system_prompt_hash
  if (oldHash === hash || oldHash === 'unknown') return { command }
  const before = keptPrompt(ws, oldHash)
  if (before !== undefined && sameButSpace(before, text)) return { command }
  const sentence = `The ${instructionsOf(agent.command)} have changed since this conversation began; the current version is used.`
  return { command, change: before === undefined ? { sentence } : { sentence, texts: { before, now: text } } }
}

/**
 * Names a command's instructions, as a part of a sentence. Leaves out a name that no command can have, because a record
 * may contain any text.
 */
export function instructionsOf(command: string): string {
  return `instructions of ${isName(command.replace(/^\//, '')) ? command : 'this conversation'}`
}

/**
 * Whether a text is the name of a command. A record may have any text in its place, and a handoff gives the name to the
 * client as what the person typed.
 */
function isName(text: string): boolean {
  return /^[\p{L}\p{N}_.:-]{1,60}$/u.test(text)
}

/** What the person typed now, for a conversation whose command has no name. */
const RESUME = 'workspace.resume'

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
