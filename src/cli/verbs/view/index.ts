import type { Environment } from '../../../io/environment.ts'
import { openFile } from '../../../io/open-file.ts'
import { keepPage, viewConversation } from '../../../journeys/viewing/view.ts'
import { openWorkspace } from '../../../workspace/open.ts'
import { note, say, sayJson } from '../../print.ts'
import { settle } from '../../settle.ts'
import { named } from './named.ts'
import { writeWhere } from './where.ts'

export interface ViewOptions {
  all?: boolean
  output?: string
  open: boolean
  json?: boolean
}

/** Makes a page of a conversation, writes it, and opens it where a person sits. */
export async function viewVerb(
  environment: Environment,
  words: readonly string[],
  options: ViewOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  await settle(ws)
  const { path } = await named(ws, words.join(' '))
  const { page, problems } = viewConversation(ws, path, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const file =
    options.output === undefined
      ? keepPage(ws, path, page)
      : writeWhere(ws, environment.cwd, options.output, page)
  note(...problems.map((problem) => `Not shown: ${problem}`))
  await tell(environment, file, options)
}

/** Prints where a page lies, and opens it. Nobody sits where there is no terminal. */
async function tell(environment: Environment, file: string, { open, json }: ViewOptions): Promise<void> {
  const opened = open && json !== true && environment.interactive && (await openFile(file, environment.env))
  if (json === true) return sayJson({ path: file })
  say(file)
  if (opened) note('Opened in your browser.')
}
