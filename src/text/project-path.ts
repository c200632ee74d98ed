/**
 * The path of a project's file relative to the project's root, in whatever form a client of whatever system has written
 * it: `C:\…`, `\\wsl$\<distribution>\…`, `/mnt/c/…`, `file:///…`, or relative. Undefined for a file elsewhere. On another
 * machine the root has another path, so a file also counts as inside if its path contains the name of the root's folder.
 */
export function projectPath(root: string, path: string): string | undefined {
  if (path.includes('\0')) return undefined
  const inside = pathBelow(root, root, path)
  if (inside !== undefined) return inside
  const names = plainPath(path).split('/')
  const rest = names.slice(names.lastIndexOf(plainPath(root).split('/').at(-1)!) + 1)
  return rest.length === names.length || rest.length === 0 ? undefined : rest.join('/')
}

/**
 * The path relative to the root of a file that a person named from a working folder, in any of these forms. Undefined for
 * the root itself and for what is not below it.
 */
export function pathBelow(root: string, cwd: string, path: string): string | undefined {
  const [folder, named] = [plainPath(root), plainPath(path)]
  const full = isAbsolute(named) ? named : plainPath(`${plainPath(cwd)}/${named}`)
  // Windows does not tell upper case from lower case.
  const same = (text: string) => (/^[a-z]:/.test(folder) ? text.toLowerCase() : text)
  const prefix = folder.endsWith('/') ? folder : `${folder}/`
  return same(full).startsWith(same(prefix)) && full.length > prefix.length
    ? full.slice(prefix.length)
    : undefined
}

/** The same path for each form of one file: with forward slashes, and a drive as `c:/…`. */
export function plainPath(path: string): string {
  const named = fromUrl(path)
  const isWindows = /^(?:[A-Za-z]:[\\/]|\\\\)/.test(named) || !named.includes('/')
  const forward = isWindows ? named.replaceAll('\\', '/') : named
  const local = forward
    .replace(/^\/{2,4}[?.]\/+(?=[A-Za-z]:)/, '')
    .replace(/^\/{2,4}wsl(?:\$|\.localhost)\/+[^/]+(?=\/|$)/i, '')
    .replace(/^\/(?:mnt|cygdrive)\/([A-Za-z])(?=\/|$)/, '$1:')
    .replace(/^[A-Z](?=:\/)/, (drive) => drive.toLowerCase())
  return withoutSteps(local || '/')
}

/** Without `.`, `..`, empty names and, but for a root, a separator at the end. */
function withoutSteps(path: string): string {
  const [start = ''] = /^(?:[a-z]:)?\//.exec(path) ?? []
  const names: string[] = []
  for (const name of path.slice(start.length).split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..' && (start !== '' || names.length > 0) && names.at(-1) !== '..') names.pop()
    else names.push(name)
  }
  return start + names.join('/')
}

function fromUrl(path: string): string {
  const [, host = '', rest = ''] = /^file:\/\/([^/]*)(\/.*)$/i.exec(path) ?? []
  if (rest === '') return path
  const name = decoded(rest)
  if (/^wsl(?:\$|\.localhost)$/i.test(decoded(host))) return `//wsl$${name}`
  return name.replace(/^\/(?=[A-Za-z]:)/, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A sign that is not encoded: the path is what it says.
    return text
  }
}

export function isAbsolute(plain: string): boolean {
  return plain.startsWith('/') || /^[a-z]:(?:\/|$)/.test(plain)
}
