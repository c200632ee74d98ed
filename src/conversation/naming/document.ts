import { basename } from 'node:path'
import { removeInside, renameInside } from '../../io/inside.ts'
import type { SessionFile } from '../../session/schema.ts'
import { documentPath, readDocument, writeDocument } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { fillTemplate, loadTemplate } from '../../workspace/template.ts'
import { localDate } from '../create.ts'

type Described = Pick<SessionFile, 'conversation_id' | 'conversation_type' | 'created_at' | 'title'>

/**
 * Whether nobody has written into a conversation's document; also true if it has none. The title in it may be another one
 * by now.
 */
export function isDocumentFresh(ws: Workspace, path: string, session: Described): boolean {
  const text = readDocument(ws.root, path, session.conversation_type)?.replaceAll('\r\n', '\n')
  if (text === undefined) return true
  // A heading is all before the title, the title, and all behind it: `# Debug: {{title}}`.
  const [before, after] = freshDocument(ws, path, { ...session, title: MARK })?.split(MARK, 2) ?? []
  if (before === undefined) return false
  const end = text.indexOf('\n', before.length)
  const line = text.slice(before.length, end === -1 ? text.length : end)
  const rest = (after ?? '').split('\n', 1)[0]!
  const title = after === undefined ? session.title : line.slice(0, line.length - rest.length)
  return text === freshDocument(ws, path, { ...session, title })
}

/** No template has this. */
const MARK = '\0title\0'

/**
 * Returns the document as a conversation of its type begins with it, with `\n` as line breaks; undefined if it begins
 * without one.
 */
function freshDocument(ws: Workspace, path: string, session: Described): string | undefined {
  const { conversation_id: id, conversation_type: type, title, created_at } = session
  const known = ws.types.get(type)
  if (known !== undefined && known.template === undefined) return undefined
  const date = path.split('/').at(-2) ?? localDate(new Date(created_at))
  const template = loadTemplate(ws.root, known?.template ?? type).replaceAll('\r\n', '\n')
  return fillTemplate(template, { title, date, id, type })
}

/**
 * Gives a conversation whose type has changed the document of its new type. If that has one already, it stays. Otherwise
 * a document that somebody has written into gets the new name, and an empty one is replaced by that of the new type. An
 * empty document of the old type goes.
 */
export function changeDocument(ws: Workspace, path: string, before: Described, now: Described): void {
  const [old, type] = [before.conversation_type, now.conversation_type]
  const isFresh = isDocumentFresh(ws, path, before)
  if (readDocument(ws.root, path, type) === undefined) {
    const fresh = isFresh ? freshDocument(ws, path, now) : undefined
    if (fresh !== undefined) writeDocument(ws.root, path, type, fresh)
    if (!isFresh) renameInside(ws.root, documentPath(path, old), basename(documentPath(path, type)))
  }
  if (isFresh && old !== type) removeInside(ws.root, documentPath(path, old))
}
