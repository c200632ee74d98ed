import { basename } from 'node:path'
import { toolVocabulary } from '../../clients/all-tools.ts'
import { plainRecap, recapOf } from '../../context/recap.ts'
import { historyOf } from '../../context/select-strategy.ts'
import { filesChanged } from '../../context/state/files-changed.ts'
import { nameAmong } from '../../conversation/author.ts'
import { readConversation } from '../../conversation/read.ts'
import { recordSize } from '../../conversation/record-size.ts'
import { whoseTalk, withoutOwnName } from '../../session/sharing/authors.ts'
import { oneLine } from '../../text/line.ts'
import { projectPath } from '../../text/project-path.ts'
import type { Workspace } from '../../workspace/open.ts'

/** A larger record has no preview, because reading it takes too long. */
const MAX_BYTES = 6_000_000
const MAX_FILES = 6
/** An estimate, because loading a tokenizer takes too long for a preview. */
const CHARACTERS_PER_TOKEN = 4

/**
 * Returns a preview for a person who may resume the conversation: its state, the last messages of person and agent,
 * open points, the changed files and the branch. If the record names another author than this person, the preview also
 * says who began the talk and who spoke last. Writes nothing. Throws what readConversation throws.
 */
export async function previewOf(ws: Workspace, path: string, folder: string): Promise<string[]> {
  if (recordSize(folder).messages > MAX_BYTES) return []
  const { session, messages } = readConversation(ws, path)
  const me = await nameAmong(ws, messages)
  const shown = withoutOwnName(messages, me)
  const whose = whoseTalk(messages, me)
  const history = historyOf({ messages: shown, project: basename(ws.root), tools: toolVocabulary() })
  const recap = recapOf({ session, history, now: ws.environment.now(), changed: [] }, (text) =>
    Math.ceil(text.length / CHARACTERS_PER_TOKEN),
  )
  const files = filesChanged(history).map((one) => oneLine(shortPath(ws.root, one.path)))
  const more = files.length > MAX_FILES ? [`${files.length - MAX_FILES} more`] : []
  const branch = oneLine(session.repository?.branch ?? '')
  return [
    ...plainRecap(recap).slice(1),
    ...(whose === undefined ? [] : [`${whose.slice(0, 1).toUpperCase()}${whose.slice(1)}`]),
    ...(files.length === 0 ? [] : [`Files: ${[...files.slice(-MAX_FILES), ...more].join(', ')}`]),
    ...(branch === '' ? [] : [`Branch: ${branch}`]),
  ]
}

/**
 * Returns a path in the workspace relative to the workspace's root. Of any other path, such as one of another machine,
 * returns the last two names.
 */
function shortPath(root: string, path: string): string {
  return projectPath(root, path) ?? ['…', ...path.split(/[\\/]/).filter(Boolean).slice(-2)].join('/')
}
