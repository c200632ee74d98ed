import { conversationPage } from '../../page/conversation-page.ts'
import { allPagesFolder, writePage } from '../../store/machine/pages.ts'
import type { Workspace } from '../../workspace/open.ts'
import { collect } from './collect.ts'

/** The page of a conversation, and what could not be shown of it. Throws what readConversation throws. */
export function viewConversation(
  ws: Workspace,
  path: string,
  zone: string,
): { page: string; problems: string[] } {
  const { shown, problems } = collect(ws, path, zone)
  // Images are read while the page is made, so that the problems are all known only now.
  return { page: conversationPage(shown), problems }
}

/** Writes a page among this machine's own files, and returns where. Throws what files throw. */
export function keepPage(ws: Workspace, path: string, page: string): string {
  return writePage(ws.local, path, page)
}

/** The folder for the pages of all conversations among this machine's own files; it is made. Throws what files throw. */
export function ownPagesFolder(ws: Workspace): string {
  return allPagesFolder(ws.local)
}
