import type { Environment } from '../../io/environment.ts'
import { idAndName } from '../../journeys/finding/list.ts'
import { currentSession } from '../../journeys/recording/current-session.ts'
import { isRecorded, start } from '../../journeys/recording/start.ts'
import { textInSession } from '../../journeys/resuming/in-session.ts'
import { oneLine } from '../../text/line.ts'
import { paste } from '../../text/paste.ts'
import { putOnList } from '../../workspace/everywhere.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { fromHere, noHooksNote } from '../from-sub-folder.ts'
import { note, say, sayJson } from '../print.ts'
import { readStdin } from '../stdin.ts'

interface StartOptions {
  titleStdin?: boolean
  fromBeginning?: boolean
  keepHere?: boolean
  json?: boolean
}

export async function startVerb(
  environment: Environment,
  type: string,
  words: string[],
  options: StartOptions,
): Promise<void> {
  const ws = openWorkspace(environment)
  putOnList(ws.root, environment)
  const title = options.titleStdin ? await readStdin() : words.join(' ')
  const current = currentSession(ws)
  const { fromBeginning = false, keepHere } = options
  const wanted = { fromBeginning, ...(keepHere !== undefined && { keepHere }) }
  const started = await start(ws, { type, title, current, ...wanted })
  const { path, document } = started
  if (options.json)
    return sayJson({ ...idAndName(ws, path), path, document, title: started.title, created: started.created })
  if (current !== undefined && started.resumed) return say(await textInSession(ws, current, path))
  const { name } = idAndName(ws, path)
  const called = started.title === '' ? name : `${name} "${oneLine(started.title)}"`
  say(
    `${started.created ? 'Conversation' : 'Already open:'} ${called}`,
    document === undefined ? [] : `Document: ${fromHere(ws, document)}`,
  )
  // If hooks run, one of them has opened the conversation already, so `created` is false.
  if (current !== undefined && started.created) note(noHooksNote(ws, current))
  if (!isRecorded(ws, type))
    return note(`Not recorded: .workspace/registry.json turns recording off for the type "${type}".`)
  if (current === undefined)
    note(
      'Not recording: this was not called from inside an AI client.',
      paste`To talk about it, in your client: cortext resume ${name}`,
    )
}
