import { CortextError } from '../errors.ts'
import type { Place } from '../io/place.ts'
import { beginAnew } from '../journeys/append-turn.ts'
import { type Change, editConversation } from '../journeys/edit.ts'
import { openWorkspace } from '../journeys/open.ts'
import { parseStatus } from '../session/lifecycle.ts'
import { oneLine } from '../session/title.ts'
import { say, sayJson } from './print.ts'
import { readStdin } from './stdin.ts'
import { which } from './which.ts'

interface EditOptions {
  key?: string
  clear?: boolean
  title?: string
  titleStdin?: boolean
  summary?: string
  status?: string
  tag?: string[]
  untag?: string[]
  archive?: boolean
  unarchive?: boolean
  force?: boolean
  json?: boolean
}

export async function edit(place: Place, query: string | undefined, options: EditOptions): Promise<void> {
  const ws = openWorkspace(place)
  const { path, id } = await which(ws, 'edit', query, options.key)
  const change = await changeOf(options)
  if (Object.keys(change).length === 0 && options.clear !== true)
    throw new CortextError('usage', 'nothing to change', { fix: `cortext edit ${id} --title "…"` })
  if (options.clear === true) await beginAnew(ws, path)
  const session = await editConversation(ws, path, change, options.force === true)
  if (options.json === true) return sayJson({ path, session })
  say(
    `Changed: "${oneLine(session.title)}", ${session.status}${session.archived_at === undefined ? '' : ', archived'}.`,
  )
}

async function changeOf(options: EditOptions): Promise<Change> {
  const title = options.titleStdin === true ? await readStdin() : options.title
  return {
    ...(title === undefined ? {} : { title }),
    ...(options.summary === undefined ? {} : { summary: options.summary }),
    ...(options.status === undefined ? {} : { status: parseStatus(options.status) }),
    ...(options.tag === undefined ? {} : { tag: options.tag }),
    ...(options.untag === undefined ? {} : { untag: options.untag }),
    ...(options.archive === true ? { archived: true } : {}),
    ...(options.unarchive === true ? { archived: false } : {}),
  }
}
