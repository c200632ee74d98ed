import type { Environment } from '../../io/environment.ts'
import { planRedaction, type RedactReport, redactRecord } from '../../journeys/editing/redact.ts'
import { findExact } from '../../journeys/finding/find.ts'
import { countOf } from '../../text/count-of.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { lookAfterGit, noteIfSyncing, noteStillThere, settleAfterGit, syncRemoval } from '../first-step.ts'
import { note, say, sayJson } from '../print.ts'

/** Reports what today's rules would replace in a saved conversation, and with `--apply` replaces it. */
export async function redactVerb(
  environment: Environment,
  query: string,
  {
    apply: applied = false,
    keepHistory: keepsHistory = false,
    json,
  }: { apply?: boolean; keepHistory?: boolean; json?: boolean },
): Promise<void> {
  const ws = openWorkspace(environment)
  await (applied ? settleAfterGit(ws) : lookAfterGit(ws))
  const { name, path, title } = findExact(ws, query)
  if (applied) noteIfSyncing(ws)
  const report = applied ? await redactRecord(ws, path, { keepsHistory }) : planRedaction(ws, path)
  const { files, documents, versions = 0 } = report
  const hasReplaced = applied && !keepsHistory && files.length + versions > 0
  const place = hasReplaced ? syncRemoval(ws) : undefined
  if (json) return sayJson({ path, applied, ...report, ...(place !== undefined && { place }) })
  const titled = `"${oneLine(title)}"`
  const cleansHistory = ws.config.visibility === 'private' && !keepsHistory
  const earlier = `${countOf(versions, 'earlier version')} of its files`
  const inDocuments =
    documents.length === 0
      ? []
      : [
          'Its documents are yours, and stay as they are. The rules find secrets in them:',
          ...documents.map(({ file, found }) => `  ${file}: ${kinds(found)}`),
          cleansHistory
            ? paste`Take them out there; then their earlier versions go too, with: cortext redact ${name} --apply`
            : 'Take them out there.',
        ]
  const noteThere = () => {
    const but =
      documents.length > 0
        ? ', but not what its documents have, before you take it out here and redact again'
        : ''
    if (place !== undefined) noteStillThere(ws, place, 'redacted', but)
  }
  if (files.length === 0) {
    if (versions > 0) say(`Replaced in ${earlier} of ${titled}.`)
    else if (documents.length === 0) say(`The rules of today find no secret in ${titled}.`)
    else say(`The rules of today find no secret in what was said in ${titled}.`)
    note(inDocuments, NOT_COVERED)
    return noteThere()
  }
  say(
    `${applied ? 'Replaced' : 'Would be replaced'} in ${titled}: ${kinds(report.found)}.`,
    files.map(({ file, found }) => `  ${file}: ${kinds(found)}`),
  )
  if (!applied)
    return note(inDocuments, 'Nothing was changed. To do it:', paste`  cortext redact ${name} --apply`)
  if (versions > 0) say(`  ${earlier}`)
  note(cleansHistory ? WHAT_IS_LEFT_PRIVATE : WHAT_IS_LEFT, inDocuments, NOT_COVERED)
  noteThere()
}

const NOT_COVERED = ['Not looked at: attachments, and the name of its folder.']

/** The history of a private workspace is changed too. */
const WHAT_IS_LEFT_PRIVATE = [
  "What was said is clean, and so is its history in this workspace. The raw copies and the client's sessions are not.",
  'So change each secret where it was issued: revoke the token, set another password, make a new key.',
]

/** A person who has replaced a secret in a file must not think that the secret is gone everywhere. */
const WHAT_IS_LEFT = [
  'The files are clean. Git history and what was pushed are not: both keep the old text.',
  'So change each secret where it was issued: revoke the token, set another password, make a new key.',
  "To take the old text out of git's history too: git filter-repo --replace-text, then push by force;",
  'every clone keeps its own history, and merging one brings the old lines back.',
]

export function kinds(found: RedactReport['found']): string {
  return Object.entries(found)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ')
}
