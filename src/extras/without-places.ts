import type { Workspace } from '../workspace/open.ts'

/**
 * Returns a function that takes the folders of this machine out of a text: paths of the project become relative to it,
 * and home folders, of any machine, become `~`. The text may be JSON.
 */
export function withoutPlaces({ root, environment: { home } }: Workspace): (text: string) => string {
  const own = [
    ...formsOf(root).map((path) => [path, '.'] as const),
    ...formsOf(home).map((path) => [path, '~'] as const),
  ]
  return (text) => {
    const shortened = own.reduce((rest, [path, short]) => withoutPath(rest, path, short), text)
    return shortened.replace(HOMES, '~$1').replace(WINDOWS_HOMES, '~$1')
  }
}

/** A path as it is, and as JSON writes it. */
function formsOf(path: string): string[] {
  return path.length < 2 ? [] : [...new Set([path, JSON.stringify(path).slice(1, -1)])]
}

function withoutPath(text: string, path: string, short: string): string {
  if (!text.includes(path)) return text
  const [first, ...others] = text.split(path)
  return others.reduce((done, rest, at) => {
    const before = at === 0 ? first! : others[at - 1]!
    const isWhole = !/[\w.~-]$/.test(before.slice(-1)) && !/^[\w.-]*\w/.test(rest.slice(0, 40))
    const isBelow = isWhole && short === '.' && /^(?:\/|\\\\?)./.test(rest)
    return (
      done + (isWhole ? (isBelow ? rest.replace(/^(?:\/|\\\\?)/, '') : `${short}${rest}`) : `${path}${rest}`)
    )
  }, first!)
}

/** A record may contain paths of another machine. */
const HOMES = /(?<![\w.~/-])\/(?:home|Users)\/[^/\s"'`\\<>]+(\/|(?=["'`\s<>),;:]|$))/g
const WINDOWS_HOMES =
  /(?<![\w.~/-])[A-Za-z]:[\\/]{1,2}Users[\\/]{1,2}[^\\/\s"'`<>]+([\\/]{1,2}|(?=["'`\s<>),;:]|$))/g
