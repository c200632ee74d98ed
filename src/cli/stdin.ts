import { fstatSync } from 'node:fs'
import { CortextError } from '../errors.ts'

/**
 * Reads all of standard input as text, without the newline that ends a heredoc. `byAgent` means that an agent makes the
 * call without asking the person. In this case, a file on disk is refused, because `< .env` would show that file to the
 * agent. Throws `refused`.
 */
export async function readStdin(byAgent = false): Promise<string> {
  if (byAgent && isFileOnDisk())
    throw new CortextError('refused', 'an agent gives its text by a here-document, not from a file', {
      fix: "<<'CORTEXT_SUMMARY'",
    })
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}

/**
 * Whether standard input is a file on disk. A here-document does not count: a shell may put it into a file, but removes
 * the file's name first, so this file has no links.
 */
function isFileOnDisk(): boolean {
  const stdin = fstatSync(0)
  return (stdin.isFile() && stdin.nlink > 0) || stdin.isBlockDevice()
}
