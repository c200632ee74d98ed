import { closeSync, constants, openSync, readFileSync } from 'node:fs'

/** Reads the text of a file that may come from a clone, so it follows no symlink. Throws node's own errors. */
export function readPlain(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
