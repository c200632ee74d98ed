import { join } from 'node:path'
import { eraseFromHistory } from '../../conversation/keeping/history.ts'
import { publish } from '../../conversation/publish.ts'
import { otherRoots } from '../../conversation/worktrees.ts'
import { CortextError } from '../../errors.ts'
import { isFileInside } from '../../io/inside.ts'
import { redactText, redactValue } from '../../redact/index.ts'
import { messageRedactor } from '../../redact/messages.ts'
import type { Message, SessionFile } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { forgetDocuments } from '../../store/machine/copies.ts'
import { withLockSync } from '../../store/machine/locks/lock.ts'
import { writeMetadataBackup } from '../../store/machine/metadata-backup.ts'
import { forgetPage } from '../../store/machine/pages.ts'
import { rewritten, writeRewritten } from '../../store/record/rewrite.ts'
import { readSession, writeSession } from '../../store/record/session-file.ts'
import type { Workspace } from '../../workspace/open.ts'

/** The number of secrets in each file of a record, by kind. A report never contains a secret. */
export interface RedactReport {
  files: { file: string; found: Record<string, number> }[]
  /** Counts over all files, by kind. */
  found: Record<string, number>
}

/** Counts what the current rules would replace in the record. Writes nothing. Throws what reading throws. */
export function planRedaction(ws: Workspace, path: string): RedactReport {
  return overRecord(ws, path, () => {})
}

/**
 * Replaces every secret that the current rules find in the record of a conversation, pruned lines included. Ids, times
 * and the order of lines stay. Replaces each file as a whole, and messages.jsonl and session.json last. After a kill
 * between two files, the next call does the rest. Publishes before and after. Throws `refused` if redaction is off (the
 * next save would bring the secrets back), and what publish throws.
 */
export async function redactRecord(ws: Workspace, path: string): Promise<RedactReport> {
  if (!ws.config.redact)
    throw new CortextError(
      'refused',
      'redact is off here: the next save would bring back what is replaced now',
      {
        fix: 'set "redact": true in .workspace/config.json',
      },
    )
  await publish(ws, path)
  const report = withLockSync(ws.local, `conversation/${path}`, () => {
    // Earlier versions have the secrets too. This comes first: after a kill, the record still has some, and the next call
    // begins anew.
    if (planRedaction(ws, path).files.length > 0) {
      eraseFromHistory(ws, path)
      // Otherwise the next publishing would put what other worktrees have left into the history again.
      forgetDocuments(ws.local, path)
    }
    return overRecord(ws, path, (write) => write())
  })
  forgetPage(ws.local, path)
  // Publishing derives the counts in session.json from the lines.
  await publish(ws, path)
  return report
}

/**
 * Redacts each file of the record in memory, and gives `apply` a function that writes the result. Another worktree of a
 * private workspace may have a record of the conversation too.
 */
function overRecord(ws: Workspace, path: string, apply: (write: () => void) => void): RedactReport {
  const others = otherRoots(ws).filter((root) => isFileInside(root, `${path}/${RECORD.session}`))
  const files = [...others, ws.root].flatMap((root) => overFiles({ ...ws, root }, path, apply))
  return { files, found: sum(files) }
}

function overFiles(ws: Workspace, path: string, apply: (write: () => void) => void): RedactReport['files'] {
  const folder = join(ws.root, path)
  const files: RedactReport['files'] = []
  let found: Record<string, number> = {}
  const noteFile = (file: string) => {
    files.push({ file, found })
    found = {}
  }
  const redact = messageRedactor()
  const change = {
    message: (message: Message) => redact(message, found),
    text: (text: string) => addCounts(redactText(text), found).text,
  }
  for (const file of rewritten(folder, change)) {
    noteFile(file.path.slice(RECORD.folder.length + 1))
    apply(() => writeRewritten(folder, file))
  }
  const session = readSession(folder)?.session
  if (session !== undefined) {
    const clean = sessionWithout(session, found)
    if (clean !== session) {
      noteFile('session.json')
      apply(() => {
        writeSession(folder, clean)
        writeMetadataBackup(ws.local, path, clean)
      })
    }
  }
  return files
}

/** Redacts the texts that people and agents wrote in session.json. Its other fields are ids, times and counts. */
function sessionWithout(session: SessionFile, found: Record<string, number>): SessionFile {
  const { title, context_summary, tags, agent_config } = session
  const result = redactValue({ title, context_summary, tags, agent_config })
  if (result.found.length === 0) return session
  addCounts(result, found)
  return { ...session, ...result.value, ...(tags === undefined ? { tags } : {}) }
}

function addCounts<T extends { found: readonly { kind: string }[] }>(
  result: T,
  found: Record<string, number>,
): T {
  for (const { kind } of result.found) found[kind] = (found[kind] ?? 0) + 1
  return result
}

function sum(files: RedactReport['files']): Record<string, number> {
  const all: Record<string, number> = {}
  for (const { found } of files) {
    for (const [kind, count] of Object.entries(found)) all[kind] = (all[kind] ?? 0) + count
  }
  return all
}
