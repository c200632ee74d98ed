import type { Place } from '../../io/environment.ts'
import { nativeHere } from '../../journeys/recording/current-session.ts'
import { start } from '../../journeys/recording/start.ts'
import { toldHere } from '../../journeys/resuming/in-session.ts'
import { openWorkspace } from '../../workspace/open.ts'
import { note, say, sayJson } from '../print.ts'
import { readStdin } from '../stdin.ts'

interface StartOptions {
  titleStdin?: boolean
  fromBeginning?: boolean
  json?: boolean
}

export async function startVerb(
  place: Place,
  type: string,
  words: string[],
  options: StartOptions,
): Promise<void> {
  const ws = openWorkspace(place)
  const title = options.titleStdin === true ? await readStdin() : words.join(' ')
  const here = nativeHere(ws)
  const started = await start(ws, { type, title, here, fromBeginning: options.fromBeginning === true })
  const { id, path, document } = started
  if (options.json === true)
    return sayJson({ id, path, document, title: started.title, created: started.created })
  if (here !== undefined && started.resumed) return say(await toldHere(ws, here, path))
  say(`${started.created ? 'Conversation' : 'Already open:'} ${id}`, `Document: ${document}`)
  if (here === undefined)
    note(
      'Not recording: this was not called from inside an AI client. What is said is kept once a client session is bound to it.',
    )
}
