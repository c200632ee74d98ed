import { type Passage, passageOf } from '../../search/passage.ts'
import type { Query } from '../../search/query.ts'
import type { Ranked } from '../../search/rank.ts'
import type { Message } from '../../session/schema.ts'
import { RECORD } from '../../store/layout.ts'
import { linesAt } from '../../store/record/matching-lines.ts'
import { messageIn } from '../../store/record/messages.ts'
import { argumentsOf, foundText } from './count-record.ts'
import type { Found } from './search.ts'

/** A message that was found, as it is shown. */
export interface FoundMessage extends Passage {
  message: Message
  score: number
  /** `cortext show <id> --at <at>` shows this message; undefined for one that show does not have. */
  at?: string
  /** The file below the conversation that holds it, for one that show does not have. */
  file?: string
}

export interface Passages {
  messages: FoundMessage[]
  /** How many messages answer not much worse than the best of these. */
  total: number
}

const SHOWN = 3
/** Which part of the score of the best message another one has to have to be shown, and to be counted. */
const WORTH = { shown: 0.5, counted: 0.25 }

/** The two or three messages of a conversation that answer a query best, best first, each with its best passage. */
export function passagesIn({ candidate, scores }: Ranked<Found>, query: Query): Passages {
  const most = scores.reduce((best, score) => Math.max(best, score), 0)
  const { files, lines } = candidate.messages
  const counted: Place[] = scores.flatMap((score, at) =>
    score > 0 && score >= WORTH.counted * most ? [{ file: files[at]!, line: lines[at]!, score }] : [],
  )
  const best = counted.filter(({ score }) => score >= WORTH.shown * most).sort((a, b) => b.score - a.score)
  const shown = new Map<string, FoundMessage>()
  // A message may be there twice, after a merge.
  for (const { place, message } of read(candidate, best.slice(0, 2 * SHOWN)))
    if (shown.size < SHOWN && !shown.has(message.id)) {
      const where = isShown(place) ? { at: idToShow(message) } : { file: place.file }
      shown.set(message.id, {
        message,
        score: place.score,
        ...where,
        ...passage(candidate.folder, message, query),
      })
    }
  return { messages: [...shown.values()], total: counted.length }
}

interface Place {
  file: string
  line: number
  score: number
}

function read({ folder, unsaved }: Found, places: readonly Place[]): { place: Place; message: Message }[] {
  const numbers = (file: string) => new Set(places.flatMap((one) => (one.file === file ? [one.line] : [])))
  const files = [...new Set(places.map(({ file }) => file))].filter((file) => file !== '')
  const texts = new Map(files.map((file) => [file, linesAt(folder, file, numbers(file))]))
  return places.flatMap((place) => {
    const line = texts.get(place.file)?.get(place.line) ?? ''
    const message = place.file === '' ? unsaved?.[place.line] : messageIn(line.trim())
    return message === undefined ? [] : [{ place, message }]
  })
}

function passage(folder: string, message: Message, query: Query): Passage {
  const found = passageOf(foundText(folder, message), query)
  if (found.marks.length > 0) return found
  const calls = passageOf(argumentsOf(message).join(' | '), query)
  return calls.marks.length > 0 ? calls : found
}

/** Whether `show` has it: pruned messages and those of subagents are in other files. */
function isShown({ file }: Place): boolean {
  return file === '' || file === RECORD.messages
}

/** Enough of an id of ours to name one message; ids of other programs may differ only at their end. */
export function idToShow({ id }: Message): string {
  return /^[0-9a-f]{32}$/.test(id) ? id.slice(0, 12) : id
}
