import {
  lstatSync,
  mkdirSync,
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
import { stateFile } from './io/state-file.ts'

/**
 * Runs a file of dist/, and keeps what V8 has compiled of it from one start to the next: compiling is more than a quarter
 * of what a short verb costs. Node 22.1 and later keep it by themselves, and are told where. Nothing is kept where the
 * folder for it is not the person's alone, because what lies there is run.
 */
export function runCompiled(path: string, version: string): void {
  const folder = ownFolder(`${version}-node-${process.versions.node}`)
  // The type definitions here are those of Node 20.
  const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => void }
  if (folder === undefined) require(path)
  else if (enableCompileCache === undefined) new Loader(folder).load(path)
  else {
    enableCompileCache(folder)
    require(path)
  }
}

/**
 * A folder among this person's state; undefined where there can be none that only this person writes to. It is not among
 * the caches, nor in the temporary folder as node's own would be: programs in a sandbox may write there.
 */
function ownFolder(name: string): string | undefined {
  const { env } = process
  const home = env.HOME || env.USERPROFILE || ''
  const folder = stateFile({ home, env }, join('compiled', name))
  // Without a home it would lie in the folder where one stands, which a stranger may have filled.
  if (!isAbsolute(home) || !isAbsolute(folder)) return undefined
  try {
    // Root in the home of another user leaves no folder there that this user cannot write to.
    if (!isOwn(statSync(home))) return undefined
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) removeOld(dirname(folder))
    const found = lstatSync(folder)
    return found.isDirectory() && isOwn(found) && (found.mode & OTHERS_WRITE) === 0 ? folder : undefined
  } catch {
    return undefined
  }
}

function isOwn({ uid }: Stats): boolean {
  return uid === (process.getuid?.() ?? uid)
}

const OTHERS_WRITE = 0o022

/** What other versions have left, of ours and of node. One that is still in use comes again. */
function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    const age = Date.now() - lstatSync(path).mtimeMs
    if (age > THIRTY_DAYS) rmSync(path, { recursive: true, force: true })
  }
}

const THIRTY_DAYS = 30 * 24 * 60 * 60_000

interface Fresh {
  kept: string
  source: Buffer
  script: Script
}

/** What `require()` does for files of dist/, which name each other by relative paths and node's modules by theirs. */
class Loader {
  readonly #folder: string
  readonly #modules = new Map<string, { exports: unknown }>()
  readonly #fresh: Fresh[] = []

  constructor(folder: string) {
    this.#folder = folder
    // At the end V8 has compiled the functions that were called.
    process.on('exit', () => this.#keep())
  }

  load(path: string): unknown {
    const known = this.#modules.get(path)
    if (known !== undefined) return known.exports
    const loaded = { exports: {} }
    this.#modules.set(path, loaded)
    const folder = dirname(path)
    const needed = (name: string): unknown =>
      name.startsWith('.') ? this.load(join(folder, name)) : require(name)
    this.#compile(path).call(loaded.exports, loaded.exports, needed, loaded, path, folder)
    return loaded.exports
  }

  #compile(path: string): (...args: unknown[]) => void {
    const source = readFileSync(path)
    const kept = join(this.#folder, basename(path))
    const cachedData = compiledOf(source, kept)
    const text = `(function (exports, require, module, __filename, __dirname) {${source}\n})`
    const script = new Script(text, { filename: path, ...(cachedData && { cachedData }) })
    if (script.cachedDataRejected !== false) this.#fresh.push({ kept, source, script })
    return script.runInThisContext()
  }

  #keep(): void {
    for (const { kept, source, script } of this.#fresh) {
      const aside = `${kept}.${process.pid}`
      try {
        // First what tells whether anything can be written there.
        writeFileSync(aside, source, { mode: 0o600 })
        const compiled = script.createCachedData()
        writeFileSync(aside, Buffer.concat([compiled, compiled]), { flag: 'a' })
        renameSync(aside, kept)
      } catch {
        // A full disk, or a home that cannot be written to.
        rmSync(aside, { force: true })
        return
      }
    }
  }
}

/**
 * What was kept of a source: a file of the source and then, twice, of what was compiled. V8 asks for a source of the same
 * length only, and crashes on what is damaged; to compare costs less than any checksum.
 */
function compiledOf(source: Buffer, path: string): Buffer | undefined {
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
