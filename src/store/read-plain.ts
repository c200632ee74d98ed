import { closeSync, constants, openSync, readFileSync } from 'node:fs'

/** The text of a file that a clone may have brought along: not through a symlink. Throws what node throws. */
export function readPlain(path: string): string {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    return readFileSync(fd, 'utf8')
  } finally {
    closeSync(fd)
  }
}
