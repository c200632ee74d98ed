import {
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import module from 'node:module'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { Script } from 'node:vm'
import { homeOf } from './io/environment.ts'
import { makeFolders } from './io/real-folder.ts'
import { stateFile } from './io/state-file.ts'

/**
 * Runs a file of dist/, and caches the code that V8 compiles from it, because compiling takes more than a quarter of
 * the time of a short verb. Node 22.1 and later have a cache of their own, and only need its folder. If other users can
 * write to the folder, nothing is cached, because the next start runs what is in it.
 */
export function runCompiled(path: string, version: string): void {
  const folder = ownFolder(`${version}-node-${process.versions.node}`)
  // Our type definitions are those of Node 20, which does not have this function.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void }
  if (folder === undefined) require(path)
  else if (enableCompileCache === undefined) new Loader(folder).load(path)
  else {
    enableCompileCache(folder)
    require(path)
  }
}

/**
 * Returns the folder of the cache, below this person's state folder. Undefined if other users could write to it. The
 * person's cache folder (`~/.cache`) and the temporary folder (Node's default) are not safe: a sandbox may let its
 * programs write to both.
 */
function ownFolder(name: string): string | undefined {
  const { env } = process
  const home = homeOf(env)
  const folder = stateFile({ home, env }, join('compiled', name))
  // Without a home the path would be relative to the working folder, which may contain a stranger's files.
  if (!isAbsolute(home) || !isAbsolute(folder)) return undefined
  try {
    // Root may run with another user's home. It makes no folder there, because that user could not write to it.
    if (!isOwn(statSync(home))) return undefined
    const made = makeFolders(folder, 0o700)
    if (!isOnlyOurs(folder, home)) return undefined
    if (made) removeOldCaches(dirname(folder))
    return folder
  } catch {
    return undefined
  }
}

/**
 * Whether only this user can put files into a folder or replace the folder. The folder must belong to this user. Each
 * folder above it, up to the home or the root of the disk, must belong to this user or to root. None may be a link, and
 * no other user may be able to write to one.
 */
function isOnlyOurs(folder: string, home: string): boolean {
  for (let at = folder; at !== home; at = dirname(at)) {
    const stats = lstatSync(at)
    const isSafe = isOwn(stats) || (at !== folder && stats.uid === 0)
    // On some systems, a group can write to new folders, but only the user is in it. The group has the number of the
    // user.
    const others = at !== folder && stats.gid === stats.uid ? OTHERS_WRITE & ~GROUP_WRITES : OTHERS_WRITE
    if (!stats.isDirectory() || !isSafe || (stats.mode & others) !== 0) return false
    if (at === dirname(at)) return true
  }
  return true
}

function isOwn({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid)
}

/** Windows has no such modes: node shows every file as writable for all. There the person's profile is only theirs. */
const OTHERS_WRITE = process.platform === 'win32' ? 0 : 0o022
const GROUP_WRITES = 0o020

/**
 * Removes the caches that are more than 30 days old, such as those of other versions of cortext and node. A removed
 * cache is made again when it is needed.
 */
function removeOldCaches(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const age = Date.now() - lstatSync(path).mtimeMs
    if (age > THIRTY_DAYS) rmSync(path, { recursive: true, force: true })
  }
}

const THIRTY_DAYS = 30 * 24 * 60 * 60_000

/** A script that V8 compiled at this start, with its source and the path of its cache. */
interface Fresh {
  cache: string
  source: Buffer
  script: Script
}

/**
 * Does what `require()` does, for the files of dist/. They require each other by relative paths, and Node's modules by
 * name.
 */
class Loader {
  readonly #folder: string
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #fresh: Fresh[] = []

  constructor(folder: string) {
    this.#folder = folder
    // V8 compiles a function at its first call. So the cache is written at the exit, and has all functions that were
    // called.
    process.on('exit', () => this.#writeCache())
  }

  load(path: string): unknown {
    const loadedBefore = this.#modules.get(path)
    if (loadedBefore !== undefined) return loadedBefore.exports
    const loaded = { exports: {} }
    this.#modules.set(path, loaded)
    const folder = dirname(path)
    const requireFrom = (name: string): unknown =>
      name.startsWith('.') ? this.load(join(folder, name)) : require(name)
    this.#compile(path).call(loaded.exports, loaded.exports, requireFrom, loaded, path, folder)
    return loaded.exports
  }

  #compile(path: string): (...args: unknown[]) => void {
    const source = readFileSync(path)
    const cache = join(this.#folder, basename(path))
    const cachedData = readCompiled(source, cache)
    const text = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
    const script = new Script(text, { filename: path, ...(cachedData && { cachedData }) })
    if (script.cachedDataRejected !== false) this.#fresh.push({ cache, source, script })
    return script.runInThisContext()
  }

  #writeCache(): void {
    for (const { cache, source, script } of this.#fresh) {
      const temporary = `${cache}.${process.pid}`
      try {
        // On a full disk, writing the source fails. Then no time is spent on making the compiled code.
        writeFileSync(temporary, source, { mode: 0o600 })
        const compiled = script.createCachedData()
        writeFileSync(temporary, Buffer.concat([compiled, compiled]), { flag: 'a' })
        renameSync(temporary, cache)
      } catch {
        // The disk is full, or the folder cannot be written to.
        rmSync(temporary, { force: true })
        return
      }
    }
  }
}

/**
 * Reads the compiled code of a source from its cache. The cache contains the source, and then the compiled code twice.
 * V8 checks only the length of the source, and crashes on damaged code; comparing the two copies finds damage faster
 * than a checksum. Undefined if the cache is missing, damaged or made from another source.
 */
function readCompiled(source: Buffer, path: string): Buffer | undefined {
  try {
    const file = readFileSync(path)
    const middle = (source.length + file.length) / 2
    const compiled = file.subarray(source.length, middle)
    const isWhole = source.equals(file.subarray(0, source.length)) && compiled.equals(file.subarray(middle))
    return isWhole ? compiled : undefined
  } catch {
    return undefined
  }
}
