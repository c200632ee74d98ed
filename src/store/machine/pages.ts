import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { removePath } from '../../io/remove.ts'
import { checkRelativePath, ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/**
 * The page that `cortext view` last made of a conversation. It is in the local folder, so only this user can read it,
 * and git does not track it. It is removed when the conversation is deleted, moved or redacted.
 */

/** Writes the page of a conversation (workspace-relative path) and returns its file. Throws what files throw. */
export function writePage(local: string, path: string, page: string): string {
  const file = pageFile(local, checkRelativePath(path))
  ensureLocalFolder(local, localFiles(local).pages)
  // Not durable, because a page can be made again.
  writeFileAtomic(file, page, { mode: 0o600, refuseSymlink: true, durable: false })
  return file
}

/**
 * Makes the folder for the pages of all conversations, and returns its path. It is used when the person names no
 * folder. Throws what files throw.
 */
export function allPagesFolder(local: string): string {
  const folder = join(localFiles(local).pages, ALL_PAGES)
  ensureLocalFolder(local, folder)
  return folder
}

/** Cannot be the name of a page, because those end in `.html`. */
const ALL_PAGES = 'all'

/** Removes the page of a conversation, and the pages of all conversations, which contain it. Throws `unwritable`. */
export function forgetPage(local: string, path: string): void {
  for (const target of [pageFile(local, path), join(localFiles(local).pages, ALL_PAGES)]) removePath(target)
}

/** The desktop opens a file that ends in `.html` with a browser. */
function pageFile(local: string, path: string): string {
  return join(localFiles(local).pages, `${fileNameOf(path)}.html`)
}
