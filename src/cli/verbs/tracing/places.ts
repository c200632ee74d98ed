import type { Place } from '../../../extras/why/index.ts'
import type { Source } from '../../../journeys/finding/search.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'

/** `[plan] API design  (conversations/2026-01-02/001-plan-api)` */
export function headOf({ session, path }: Source): string {
  return `[${oneLine(session.conversation_type)}] ${shortLine(session.title, 100)}  (${oneLine(path)})`
}

/** The prompt and the answer around a message, and the command that shows the message. */
export function passageOf(place: Place): string[] {
  return [
    ...(place.asked === '' ? [] : [`     asked: ${shortLine(place.asked, MAX_PASSAGE)}`]),
    ...(place.said === '' || place.said === place.asked
      ? []
      : [`     said: ${shortLine(place.said, MAX_PASSAGE)}`]),
    `     → ${openerOf(place)}`,
  ]
}

const MAX_PASSAGE = 200

export function openerOf({ source, at, file }: Place): string {
  const { name } = idAndNameOf(source)
  if (at !== undefined) return paste`cortext show ${name} --at ${at}`
  return `${paste`cortext show ${name}`}   (in ${oneLine(file ?? '')})`
}

/** The id and the name of a conversation, as `--json` prints them. */
export function idAndNameOf({ names, path }: Source): { id: string; name: string } {
  return { id: names.idOf(path), name: names.nameOf(path) }
}

export function placeAsJson({ source, message, time, asked, said, at, file }: Place) {
  return {
    ...idAndNameOf(source),
    ...{ path: source.path, title: source.session.title, message: message.id, at, file },
    ...{ time: Number.isNaN(time) ? undefined : new Date(time).toISOString(), asked, said },
  }
}
