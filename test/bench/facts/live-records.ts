import { type Fields, fields, string } from './fields.ts'

/** The records of a transcript that can be read; lines that are no JSON objects are left out. */
export function recordsOf(jsonl: string): Fields[] {
  return jsonl.split('\n').flatMap((line) => {
    try {
      const record: unknown = JSON.parse(line)
      return Object.keys(fields(record)).length === 0 ? [] : [fields(record)]
    } catch {
      return []
    }
  })
}

/**
 * The records that count at the end, in the order of the file: those on the way from the last message to the first,
 * what belongs to the same answer, and the results of its calls. What was rewound and what subagents said is not among
 * them. Records without an id stay.
 */
export function liveRecords(records: readonly Fields[]): Fields[] {
  const main = records.filter(({ isSidechain }) => isSidechain !== true)
  const way = wayBack(main)
  const answers = new Set(main.filter((record) => way.has(record)).map(answerId))
  answers.delete('')
  const calls = new Set<string>()
  return main.filter((record) => {
    const lives =
      string(record.uuid) === '' ||
      way.has(record) ||
      answers.has(answerId(record)) ||
      blocksOf(record).some(
        ({ type, tool_use_id: call }) => type === 'tool_result' && calls.has(string(call)),
      )
    if (lives) for (const { type, id } of blocksOf(record)) if (type === 'tool_use') calls.add(string(id))
    return lives
  })
}

function wayBack(main: readonly Fields[]): Set<Fields> {
  const places = new Map(main.map((record, place) => [string(record.uuid), place]))
  const way = new Set<Fields>()
  let place = main.findLastIndex(isMessage)
  while (place >= 0 && !way.has(main[place]!)) {
    const record = main[place]!
    way.add(record)
    const parent = string(record.parentUuid) || string(record.logicalParentUuid)
    const known = parent === '' ? undefined : places.get(parent)
    // Behind a compaction, behind the clearing of the context for a plan (there a hook reports its progress first), and
    // where a checkpoint lacks the parent, the talk goes on with what is written before it.
    const goesOn = parent !== '' || record.subtype === 'compact_boundary' || record.type === 'progress'
    place = known ?? (goesOn ? main.findLastIndex((one, at) => at < place && isMessage(one)) : -1)
  }
  return way
}

function isMessage({ type }: Fields): boolean {
  return type === 'user' || type === 'assistant'
}

function answerId({ type, message }: Fields): string {
  return type === 'assistant' ? string(fields(message).id) : ''
}

/** The blocks of a message; a bare string is one of text. */
export function blocksOf({ message }: Fields): Fields[] {
  const { content } = fields(message)
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.map(fields) : []
}
