import { basename } from 'node:path'
import { removeInside, renameInside } from '../../io/inside.ts'
import type { SessionFile } from '../../session/schema.ts'
import { documentPath, readDocument, writeDocument } from '../../workspace/folder.ts'
import type { Workspace } from '../../workspace/open.ts'
import { fillTemplate, loadTemplate } from '../../workspace/template.ts'
import { localDate } from '../create.ts'

type Described = Pick<SessionFile, 'conversation_id' | 'conversation_type' | 'created_at' | 'title'>

/** Whether nobody has written into a conversation's document; also true if it has none. The heading does not count. */
export function isDocumentFresh(ws: Workspace, path: string, session: Described): boolean {
  const text = readDocument(ws.root, path, session.conversation_type)
  const title = /^# (.*)$/m.exec(text ?? '')?.[1] ?? session.title
  return text === undefined || text === freshDocument(ws, path, { ...session, title })
}

/** Returns the document as a conversation of its type begins with it; undefined if it begins without one. */
function freshDocument(ws: Workspace, path: string, session: Described): string | undefined {
  const { conversation_id: id, conversation_type: type, title, created_at } = session
  const known = ws.types.get(type)
  if (known !== undefined && known.template === undefined) return undefined
  const date = path.split('/').at(-2) ?? localDate(new Date(created_at))
  return fillTemplate(loadTemplate(ws.root, known?.template ?? type), { title, date, id, type })
}

/**
 * Gives a conversation whose type has changed the document of its new type: what was written under the new name, or
 * else a new document of the type's template. An empty document of the old type goes.
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
