import type { Place } from '../../../extras/why/index.ts'
import type { Source } from '../../../journeys/finding/search.ts'
import { findableOf, namesOf } from '../../../session/names.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'

/** Returns a function that gives a conversation a name that commands accept. */
export function namesIn(sources: readonly Source[]): (source: Source) => string {
  const all = [...new Set(sources)].map((source) => ({ source, ...findableOf(source) }))
  const names = new Map([...namesOf(all)].map(([{ source }, name]) => [source, name]))
  return (source) => names.get(source) ?? findableOf(source).datedId
}

/** `[plan] API design  (conversations/2026-01-02/001-plan-api)` */
export function headOf({ session, path }: Source): string {
  return `[${oneLine(session.conversation_type)}] ${shortLine(session.title, 100)}  (${oneLine(path)})`
}

/** The prompt and the answer around a message, and the command that shows the message. */
export function passageOf(place: Place, name: string): string[] {
  return [
    ...(place.asked === '' ? [] : [`     asked: ${shortLine(place.asked, MAX_PASSAGE)}`]),
    ...(place.said === '' || place.said === place.asked
      ? []
      : [`     said: ${shortLine(place.said, MAX_PASSAGE)}`]),
    `     → ${openerOf(place, name)}`,
  ]
}

const MAX_PASSAGE = 200

export function openerOf({ at, file }: Place, name: string): string {
  if (at !== undefined) return paste`cortext show ${name} --at ${at}`
  return `${paste`cortext show ${name}`}   (in ${oneLine(file ?? '')})`
}

export function placeAsJson({ source, message, time, asked, said, at, file }: Place, name: string) {
  return {
    ...{ id: name, path: source.path, title: source.session.title, message: message.id, at, file },
    ...{ time: Number.isNaN(time) ? undefined : new Date(time).toISOString(), asked, said },
  }
}
