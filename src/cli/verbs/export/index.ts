import { relative, resolve } from 'node:path'
import fs from 'fs-extra'
import { type Exported, exportConversation } from '../../../extras/export/index.ts'
import type { EXPORT_FORMATS, EXPORT_PURPOSES, ExportFormat } from '../../../extras/export-formats.ts'
import type { Environment } from '../../../io/environment.ts'
import { isInside, pathInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import type { Workspace } from '../../../workspace/open.ts'
import { openToRead } from '../../named-conversation.ts'
import { note, sayJson } from '../../print.ts'

/** The document, and the parts of a page that could not be shown. */
type Document = Exported & { problems?: string[] }

interface ExportOptions {
  format?: (typeof EXPORT_FORMATS)[number]
  for?: (typeof EXPORT_PURPOSES)[number]
  from?: string
  to?: string
  output?: string
  paths?: boolean
  json?: boolean
}

/**
 * Writes a conversation, or a range of its messages, as one document. Reports what is left out: on stderr, or with
 * `--json` next to the document.
 */
export async function exportVerb(
  environment: Environment,
  query: string,
  options: ExportOptions,
): Promise<void> {
  const format: ExportFormat = options.for ?? options.format ?? 'markdown'
  const { ws, found } = await openToRead(environment, 'export', query)
  const { path } = found
  const { output } = options
  const made = await documentOf(ws, path, format, options)
  if (output !== undefined) await write(ws, output, made.text)
  if (options.json === true) return sayJson(asDocument(path, format, made, output))
  if (output === undefined) process.stdout.write(made.text)
  note(notesOn(format, made), output === undefined ? [] : [`Written: ${output}`])
}

/** Makes the document. Loads the code of pages only for HTML. */
async function documentOf(
  ws: Workspace,
  path: string,
  format: ExportFormat,
  { from, to, paths }: ExportOptions,
): Promise<Document> {
  if (format !== 'html') return exportConversation(ws, path, { format, from, to, paths })
  const { viewConversation } = await import('../../../extras/page/index.ts')
  const { page, problems, widened } = viewConversation(ws, path, { from, to, paths })
  return { text: page, widened, problems, redacted: {}, omissions: [] }
}

async function write({ root, environment }: Workspace, output: string, text: string): Promise<void> {
  // No temporary file is used, because the output may be a device.
  const target = resolve(realFolder(environment.cwd), output)
  const below = relative(root, target)
  // A clone may contain links to any place, so no link is followed inside the workspace.
  await fs.outputFile(isInside(below) ? pathInside(root, below) : target, text)
}

function asDocument(path: string, format: ExportFormat, made: Document, output: string | undefined): object {
  const { text, widened, redacted, omissions, problems } = made
  const document = output === undefined ? { document: text } : { output }
  const shown = problems === undefined ? {} : { not_shown: problems }
  return { path, format, widened, redacted, not_held: omissions, ...shown, ...document }
}

function notesOn(format: ExportFormat, { widened, redacted, omissions, problems = [] }: Document): string[] {
  const secrets = Object.entries(redacted).map(([kind, count]) => `${count} ${kind}`)
  const more = widened === 1 ? '1 message' : `${widened} messages`
  return [
    ...(widened === 0 ? [] : [`${more} more than asked for, so that no tool call is without its result.`]),
    ...(secrets.length === 0 ? [] : [`Secrets that were replaced for this export: ${secrets.join(', ')}`]),
    ...problems.map((problem) => `Not shown: ${problem}`),
    ...(omissions.length === 0 ? [] : [`${format} cannot contain:`]),
    ...omissions.map(({ what, count }) => `  ${count} × ${what}`),
  ]
}
