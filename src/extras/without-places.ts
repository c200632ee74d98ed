import { pathBelow, plainPath } from '../text/project-path.ts'
import type { Workspace } from '../workspace/open.ts'

/**
 * Returns a function that takes the folders of this machine out of the texts in a value: paths of the project become
 * relative to it, and home folders, of any machine, become `~`.
 */
export function withoutPlaces({ root, environment: { home } }: Workspace): <T>(value: T) => T {
  const otherForm = (path: string) => shortForm(path, root, '.') ?? shortForm(path, home, '~') ?? path
  const shorten = (text: string) =>
    [[root, '.'] as const, [home, '~'] as const]
      .reduce(withoutPlace, text.replace(OTHER_FORMS, otherForm))
      .replace(WINDOWS_HOMES, '~$1')
      .replace(HOMES, '~$1')
      .replace(HOMES_IN_NAMES, '$1~')
  return (value) => inTexts(value, shorten)
}

/** Changes each text in a value, and its keys: some tools take paths as keys. */
function inTexts<T>(value: T, change: (text: string) => string): T
function inTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((one) => inTexts(one, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), inTexts(one, change)]))
}

/** `/home/ada/shop/src/a.ts` → `src/a.ts` for the folder of the project, `/home/ada/x` → `~/x` for the home. */
function withoutPlace(text: string, [folder, short]: readonly [folder: string, short: string]): string {
  if (folder.length < 2 || !text.includes(folder)) return text
  const separator = folder.includes('\\') ? '\\' : '/'
  // The text between the places, of which `before` comes before one and `rest` behind it.
  const [first = '', ...others] = text.split(folder)
  let before = first
  return others.reduce((done, rest) => {
    // Another folder can begin or end with the same words.
    const isWhole =
      !/[\p{L}\p{M}\p{N}_.~-]$/u.test(before.slice(-2)) &&
      !/^[.-]*[\p{L}\p{M}\p{N}_]/u.test(rest.slice(0, 20))
    before = rest
    if (!isWhole) return `${done}${folder}${rest}`
    const isBelow =
      short === '.' && rest.startsWith(separator) && /^[\p{L}\p{N}_.@~([-]/u.test(rest.slice(1, 3))
    return done + (isBelow ? rest.slice(1) : `${short}${rest}`)
  }, first)
}

/** A path of another system's form may name a file of the project too, as in a workspace of WSL. */
const OTHER_FORMS =
  /(?<![\w.~/\\-])(?:file:\/\/|\\{2,4}wsl(?:\$|\.localhost)\\|\/mnt\/[a-z]\/|[a-z]:[\\/])[^\s"'`<>|*?]{0,4000}[\w~-]/gi

/** Undefined for a path as this machine writes it: `withoutPlace` shortens it. */
function shortForm(path: string, folder: string, short: '.' | '~'): string | undefined {
  if (path.startsWith(folder)) return undefined
  if (plainPath(path) === plainPath(folder)) return short
  const below = pathBelow(folder, folder, path)
  return below === undefined || short === '.' ? below : `${short}/${below}`
}

/** A record may contain paths of another machine, also as in WSL (`/mnt/c/Users/…`) and in Git for Windows (`/c/Users/…`). */
const HOMES =
  /(?:(?<![\w.~/-])|(?<=file:\/\/))(?:(?:\/mnt)?\/[a-z](?=\/Users\/))?\/(?:home|Users)\/[^/\s"'`\\<>]+(\/|(?=["'`\\\s<>),;:]|$))/g
const WINDOWS_HOMES =
  /(?:(?<![\w.~/-])|(?<=file:\/\/\/))[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}[^\\/\s"'`<>]+([\\/]{1,2}|(?=["'`\s<>),;:]|$))/g

/** Claude Code and Pi name the folder of a project's sessions after its path: `~/.claude/projects/-home-ada-shop`. */
const HOMES_IN_NAMES = /([/\\](?:projects|sessions)[/\\]{1,2}-{1,2})(?:home|Users)-[^-/\\\s"'`<>]+/g
