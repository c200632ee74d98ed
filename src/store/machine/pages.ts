import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomic } from '../../io/atomic-write.ts'
import { fileError } from '../../io/file-error.ts'
import { checkRelativePath, ensureLocalFolder, fileNameOf, localFiles } from '../layout.ts'

/**
 * The page that `cortext view` made of a conversation last: for this user alone, and where git keeps its own files or
 * ignores them. It goes when the conversation is deleted, moved or redacted.
 */

/** Writes the page of a conversation (workspace-relative path), and returns where. Throws what files throw. */
export function writePage(local: string, path: string, page: string): string {
  const file = pageFile(local, checkRelativePath(path))
  ensureLocalFolder(local, localFiles(local).pages)
  // It can be made again at any time.
  writeFileAtomic(file, page, { mode: 0o600, refuseSymlink: true, durable: false })
  return file
}

/** The folder for the pages of all conversations, where the person names none; it is made. Throws what files throw. */
export function allPagesFolder(local: string): string {
  const folder = join(localFiles(local).pages, ALL)
  ensureLocalFolder(local, folder)
  return folder
}

/** No conversation's page has this name: it has no ending. */
const ALL = 'all'

/** Removes the page of a conversation, and the pages of all, of which it is one. Throws `unwritable`. */
export function forgetPage(local: string, path: string): void {
  for (const place of [pageFile(local, path), join(localFiles(local).pages, ALL)]) {
    try {
      rmSync(place, { recursive: true, force: true })
    } catch (error) {
      throw fileError(error, place, 'write')
    }
  }
}

/** The name ends in `.html`, by which a desktop knows with what to open it. */
function pageFile(local: string, path: string): string {
  return join(localFiles(local).pages, `${fileNameOf(path)}.html`)
}
