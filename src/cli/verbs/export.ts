import { relative, resolve } from 'node:path'
import fs from 'fs-extra'
import type { Environment } from '../../io/environment.ts'
import { isInside, placeInside } from '../../io/inside.ts'
import { realFolder } from '../../io/real-folder.ts'
import { readConversation } from '../../journeys/conversation/read.ts'
import { findOne } from '../../journeys/finding/find.ts'
import { asMarkdown } from '../../session/as-markdown.ts'
import { asJson } from '../../text/json.ts'
import { printable } from '../../text/line.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { note } from '../print.ts'
import { settle } from '../settle.ts'

interface ExportOptions {
  format: 'markdown' | 'json'
  output?: string
}

/**
 * Writes the conversation as one document. JSON includes events and messages off the live path; markdown has only the
 * live path.
 */
export async function exportVerb(
  environment: Environment,
  query: string,
  options: ExportOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  await settle(ws)
  const { session, messages } = readConversation(ws, (await findOne(ws, query, 'export')).path)
  const text =
    options.format === 'json'
      ? `${asJson({ session, messages }, 2)}\n`
      : // A file is looked at in a terminal too.
        printable(asMarkdown(session, messages))
  if (options.output === undefined) {
    process.stdout.write(text)
    return
  }
  // No temporary file is used, because the output may be a device.
  const target = resolve(realFolder(environment.cwd), options.output)
  const below = relative(ws.root, target)
  // What lies in the workspace may have come with a clone, as a link to anywhere.
  await fs.outputFile(isInside(below) ? placeInside(ws.root, below) : target, text)
  note(`Written: ${options.output}`)
}
