import { relative, resolve } from 'node:path'
import fs from 'fs-extra'
import { CortextError } from '../../../errors.ts'
import type { Environment } from '../../../io/environment.ts'
import { isInside, placeInside } from '../../../io/inside.ts'
import { realFolder } from '../../../io/real-folder.ts'
import { type Exported, type ExportFormat, exportConversation } from '../../../journeys/exporting/export.ts'
import { findOne } from '../../../journeys/finding/find.ts'
import { openWorkspace, type Workspace } from '../../../workspace/open.ts'
import { note, sayJson } from '../../print.ts'
import { settle } from '../../settle.ts'

interface ExportOptions {
  format?: Exclude<ExportFormat, 'pr'>
  for?: 'pr'
  from?: string
  to?: string
  output?: string
  json?: boolean
}

/**
 * Writes a conversation, or a range of its messages, as one document. What the document does not hold is told on stderr,
 * or with `--json` beside it.
 */
export async function exportVerb(
  environment: Environment,
  query: string,
  options: ExportOptions,
): Promise<void> {
  const format = formatOf(options)
  const ws = openWorkspace(environment)
  await settle(ws)
  const { path } = await findOne(ws, query, 'export')
  const { from, to, output } = options
  const made = exportConversation(ws, path, { format, from, to })
  if (output !== undefined) await write(ws, output, made.text)
  if (options.json === true) return sayJson(asDocument(path, format, made, output))
  if (output === undefined) process.stdout.write(made.text)
  note(...notesOn(format, made), ...(output === undefined ? [] : [`Written: ${output}`]))
}

/** `--for` says what for, and so decides the format. */
function formatOf({ format, for: purpose }: ExportOptions): ExportFormat {
  if (purpose === undefined) return format ?? 'markdown'
  if (format === undefined || format === 'markdown') return purpose
  throw new CortextError('usage', `--for ${purpose} is markdown, not ${format}`, {
    fix: `cortext export <id> --for ${purpose}`,
  })
}

async function write({ root, environment }: Workspace, output: string, text: string): Promise<void> {
  // No temporary file is used, because the output may be a device.
  const target = resolve(realFolder(environment.cwd), output)
  const below = relative(root, target)
  // What lies in the workspace may have come with a clone, as a link to anywhere.
  await fs.outputFile(isInside(below) ? placeInside(root, below) : target, text)
}

function asDocument(path: string, format: ExportFormat, made: Exported, output: string | undefined): object {
  const { text, widened, redacted, notHeld } = made
  const document = output === undefined ? { document: text } : { output }
  return { path, format, widened, redacted, not_held: notHeld, ...document }
}

function notesOn(format: ExportFormat, { widened, redacted, notHeld }: Exported): string[] {
  const secrets = Object.entries(redacted).map(([kind, count]) => `${count} ${kind}`)
  const more = widened === 1 ? '1 message more is' : `${widened} messages more are`
  return [
    ...(widened === 0 ? [] : [`${more} in it, so that no call of a tool is parted from its result.`]),
    ...(secrets.length === 0 ? [] : [`Secrets that were replaced for this export: ${secrets.join(', ')}`]),
    ...(notHeld.length === 0 ? [] : [`What ${format} cannot hold:`]),
    ...notHeld.map(({ what, count }) => `  ${count} × ${what}`),
  ]
}
