import type { Published } from '../conversation/publishing/write.ts'
import { countProblems } from '../conversation/read.ts'
import { countOf } from '../text/count-of.ts'
import { paste } from '../text/paste.ts'
import type { Workspace } from '../workspace/open.ts'
import { note } from './print.ts'

const MAX_NAMED = 5

/** Notes about a save: redacted secrets, unreadable lines, missing transcripts, and an incomplete last answer. */
export function publishNotes(ws: Workspace, { session, contents, problems }: Published): string[] {
  const secrets = contents.reduce((sum, { redacted }) => sum + total(redacted), 0)
  const unreadable = contents.reduce((sum, { report }) => sum + report.unreadable.length, 0)
  const missing = contents.flatMap(({ report }) => report.missing ?? [])
  const named = problems.slice(0, MAX_NAMED)
  const unnamed = countProblems(problems) - named.length
  const unsettled = contents.some(({ settled, read }) => !settled && read.messages.length > 0)
  return [
    ...(session.message_count === 0 ? ['Nothing was recorded: the conversation has no message.'] : []),
    ...(secrets > 0
      ? [`${secrets} secret${secrets === 1 ? ' was' : 's were'} replaced by a placeholder.`]
      : []),
    ...(ws.config.redact ? [] : ['Not redacted: redact is off in .workspace/config.json.']),
    ...(unreadable > 0
      ? [
          `${unreadable} line${unreadable === 1 ? '' : 's'} of the client's transcript could not be read. The journal keeps ${unreadable === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...(missing.length > 0
      ? [
          `Transcripts are missing, with all that was said in them: ${missing.map((id) => JSON.stringify(id)).join(', ')}. The client's session continues them.`,
        ]
      : []),
    ...(unsettled ? ['What was said last may not be complete yet. If the rest comes, it is saved too.'] : []),
    ...named.map(({ path, line, kind }) => `${path}:${line}: ${kind}; left as it is.`),
    ...(unnamed > 0 ? [`and ${countOf(unnamed, 'more line')} like these`] : []),
  ]
}

function total(counts: Record<string, number>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}

/** Lines that say why a conversation is not committed. `first` is a step that the person must take before a commit. */
export function notCommittedNote(
  { notCommitted: why, first, later }: { notCommitted: string; first?: string; later?: string },
  path: string,
): string[] {
  const then = paste`cortext save ${path} --commit`
  return [
    `Not committed: ${why}`,
    ...(first === undefined ? [] : [`To commit it: ${first}; then ${then}`]),
    ...(later === undefined
      ? []
      : [`What was said is saved. To commit it: ${then}`, `Or in a terminal: ${later}`]),
  ]
}

/** Says what a save or a stop waits for, also where no line of progress is shown. */
export function noteWaiting(): void {
  note(
    'Waiting for git commit: a hook runs, or a program that signs waits for an answer. After 60 s it is stopped.',
  )
}
