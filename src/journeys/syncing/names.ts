import { checkRelativePath } from '../../store/layout.ts'
import { isDeviceName } from '../../text/device-name.ts'

/** Names of files and folders that a history of a place brings. A stranger may have chosen them. */

/** Whether a path can be one of ours: it leads nowhere else, is text, and has no name that git keeps for itself. */
export function isSafe(path: string): boolean {
  try {
    return checkRelativePath(path) === path && !/(?:^|\/)\.git|\ufffd/i.test(path)
  } catch {
    return false
  }
}

/** Why no file here can have this path; undefined if one can. */
export function whyNoName(path: string, platform: NodeJS.Platform = process.platform): string | undefined {
  const parts = path.split('/')
  const isLong = (text: string, most: number) => Buffer.byteLength(text) > most
  if (isLong(path, LONGEST_PATH) || parts.length > DEEPEST || parts.some((part) => isLong(part, LONGEST)))
    return 'its name is too long'
  const isOther = (part: string) => isDeviceName(part) || /[<>:"|?*]|[. ]$/.test(part)
  return platform === 'win32' && parts.some(isOther) ? 'Windows has no such name' : undefined
}

/**
 * The paths that would be one file on a disk that does not tell upper and lower case apart, but for one of each: of these
 * the one that `isKnown`, or else the first.
 */
export function twinsAmong(paths: readonly string[], isKnown: (path: string) => boolean): Set<string> {
  const seen = new Set<string>()
  const isTwin = (path: string) => {
    const alike = path.normalize('NFC').toLowerCase()
    return seen.has(alike) || !seen.add(alike)
  }
  return new Set([...paths.filter(isKnown), ...paths.filter((path) => !isKnown(path))].filter(isTwin))
}

/** In bytes. Systems have 255 for a name and at least 1024 for a path, of which temporary names and the root take some. */
const LONGEST = 220
const LONGEST_PATH = 800
const DEEPEST = 40

/** Whether conversations in a folder are found: not in hidden folders and in those of packages. */
export function isOpenFolder(path: string): boolean {
  return path.split('/').every((part) => !part.startsWith('.') && part !== 'node_modules')
}

/** The folders that a path is in, the innermost first. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/').slice(0, -1)
  return parts.map((_, index) => parts.slice(0, index + 1).join('/')).toReversed()
}
