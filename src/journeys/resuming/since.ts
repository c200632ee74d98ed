import type { Conversation } from '../../conversation/read.ts'
import { rootOf } from '../../store/machine/binding.ts'
import { changesSince } from '../../workspace/git/changes-since.ts'
import type { Workspace } from '../../workspace/open.ts'
import { PROMPTS } from '../../workspace/pack/commands.ts'
import { touchedFiles } from './touched-files.ts'

/** The changes in git since a conversation was left. */
export interface Since {
  commits: number
  /** Files that the conversation's tools touched and that have changed since. */
  files: { path: string; how: 'edited' | 'read' }[]
}

/**
 * Asks git for the changes since the conversation was left. Undefined when there are no changes, or git cannot tell.
 */
export async function sinceThen(
  ws: Workspace,
  { session, messages, path, segments }: Conversation,
): Promise<Since | undefined> {
  const head = session.repository?.head
  if (head === undefined) return undefined
  const touched = touchedFiles([ws.root, ...segments.map(rootOf)], messages)
  const changes = await changesSince(ws, {
    head,
    dirty: session.repository?.dirty === true,
    paths: [...touched.keys()],
    // Commits that only save conversations, and the snapshots of their instructions, change nothing of the project.
    except: [path, 'conversations', PROMPTS],
  })
  if (changes === undefined || (changes.commits === 0 && changes.changed.length === 0)) return undefined
  const files = changes.changed.flatMap((file) => {
    const how = touched.get(file)
    return how === undefined ? [] : [{ path: file, how }]
  })
  return { commits: changes.commits, files }
}

/** For example `3 commits; src/api.ts, which was edited here, has changed`. */
export function sinceLine({ commits, files }: Since): string {
  const concerned = files.slice(0, 8).map(({ path, how }) => `${path}, which was ${how} here, has changed`)
  return [commitsIn(commits), ...concerned].join('; ')
}

/** Returns the changes as short items: `3 commits`, `src/api.ts`. */
export function sinceItems({ commits, files }: Since): string[] {
  return [...(commits === 0 ? [] : [commitsIn(commits)]), ...files.map(({ path }) => path)]
}

function commitsIn(count: number): string {
  return `${count} commit${count === 1 ? '' : 's'}`
}
