import { toolVocabulary } from '../../clients/all-tools.ts'
import { answersIn } from '../../context/rendering/answers.ts'
import { callKey, textOf } from '../../session/live-path.ts'
import { projectPath } from '../../text/project-path.ts'
import { editsOf, type FileEdit, seenIn } from './edits.ts'
import { type Place, placeOf, type RecordFile } from './record-files.ts'

/** An edit of a file by a tool in a conversation, or a read of the whole file. */
export type RecordedEdit = FileEdit & {
  /** Relative to the root, with forward slashes. */
  file: string
  place: Place
}

/**
 * The edits of files, and the reads of whole files, oldest first. Calls that failed or that the person refused are left
 * out. A fork has copies of calls; each call counts once, for the conversation that comes first in `records`.
 */
export function recordedEdits(root: string, records: readonly RecordFile[]): RecordedEdit[] {
  const tools = toolVocabulary()
  const counted = new Set<string>()
  const edits = records.flatMap((record) => {
    const { results } = answersIn(record.messages, tools)
    return record.messages.flatMap((message, index) =>
      (message.tool_calls ?? []).flatMap((call): RecordedEdit[] => {
        const key = `${message.id} ${call.id}`
        const result = results.get(callKey(message, call.id))
        if (counted.has(key) || result?.is_error === true || result?.refused === true) return []
        counted.add(key)
        const answer = result === undefined || result.truncated !== undefined ? '' : textOf(result)
        const seen = seenIn(tools, call, message.client, answer)
        const done = seen === undefined ? editsOf(tools, call, message.client) : [seen]
        if (done.length === 0) return []
        const place = placeOf(record, index)
        const time = Date.parse(result?.timestamp ?? message.timestamp)
        return done.flatMap((edit) => {
          const file = projectPath(root, edit.path)
          return file === undefined ? [] : [{ ...edit, file, place: { ...place, time } }]
        })
      }),
    )
  })
  return edits.filter(({ place }) => !Number.isNaN(place.time)).sort((a, b) => a.place.time - b.place.time)
}
