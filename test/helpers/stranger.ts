import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'

/** What a tree has under a name: a file's text, the id of an object with its mode, or a further tree. */
export type Node = string | { mode: string; id: string } | Tree
type Tree = Map<string, Node>

/** A link, as a tree has it: `to` may be anywhere. */
export type Link = { link: string }
export type Files = readonly (readonly [path: string | readonly string[], node: Node | Link])[]

/**
 * Somebody who writes into a bare repository what no git of ours would: objects are made byte by byte, so that no git
 * refuses a name. Names are in latin1, so that they may be no UTF-8.
 */
export class Stranger {
  readonly place: string
  readonly branch: string
  /** All objects that were made, by their ids, for a pack. */
  readonly made = new Map<string, Packed>()

  constructor(place: string) {
    this.place = place
    this.branch = this.git('for-each-ref', '--format=%(refname)').split('\n')[0]!
  }

  git(...args: string[]): string {
    return execFileSync('git', ['--git-dir', this.place, ...args], {
      encoding: 'latin1',
      maxBuffer: 2 ** 28,
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trimEnd()
  }

  object(type: 'commit' | 'tree' | 'blob' | 'tag', bytes: Buffer | string): string {
    const content = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes
    const all = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
    const id = createHash('sha1').update(all).digest('hex')
    if (type !== 'tag') this.made.set(id, { type, bytes: content })
    const file = join(this.place, 'objects', id.slice(0, 2), id.slice(2))
    if (existsSync(file)) return id
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, deflateSync(all))
    return id
  }

  /** All that the branch has. */
  present(): Tree {
    const tree: Tree = new Map()
    for (const line of this.git('ls-tree', '-r', '-z', this.branch).split('\0').filter(Boolean)) {
      const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line)!
      put(tree, path!.split('/'), { mode: mode!, id: id! })
    }
    return tree
  }

  tree(nodes: Tree): string {
    const entries = [...nodes].map(([name, node]) => {
      if (typeof node === 'string')
        return { name, mode: '100644', id: this.object('blob', Buffer.from(node)) }
      return node instanceof Map ? { name, mode: '40000', id: this.tree(node) } : { name, ...node }
    })
    const key = ({ name, mode }: { name: string; mode: string }) => (mode === '40000' ? `${name}/` : name)
    entries.sort((a, b) => (key(a) < key(b) ? -1 : 1))
    const bytes = entries.map(({ name, mode, id }) =>
      Buffer.concat([Buffer.from(`${mode} ${name}\0`, 'latin1'), Buffer.from(id, 'hex')]),
    )
    return this.object('tree', Buffer.concat(bytes))
  }

  /** Commits a tree on top of the branch, or of other commits. */
  commit(
    tree: string,
    parents = [this.git('rev-parse', this.branch)],
    message = 'from a stranger\n',
  ): string {
    const who = 'Mallory <mallory@example.org> 1764000000 +0000'
    const lines = [
      `tree ${tree}`,
      ...parents.map((one) => `parent ${one}`),
      `author ${who}`,
      `committer ${who}`,
    ]
    return this.object('commit', `${lines.join('\n')}\n\n${message}`)
  }

  /** Lets the branch be an object of any kind; git itself would refuse some. */
  set(id: string, ref = this.branch): void {
    const file = join(this.place, ref)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${id}\n`)
  }

  /** Adds files to what the branch has. */
  add(files: Files): void {
    this.set(this.commit(this.tree(this.with(files, this.present()))))
  }

  /** A tree with these files and links. Paths are split at `/`, or given in parts. */
  with(files: Files, tree: Tree = new Map()): Tree {
    for (const [path, node] of files) {
      const isLink = typeof node === 'object' && 'link' in node
      const linked = isLink ? { mode: '120000', id: this.object('blob', node.link) } : (node as Node)
      put(tree, typeof path === 'string' ? path.split('/') : path, linked)
    }
    return tree
  }

  /** Adds a pack to the repository. */
  take(pack: Buffer): void {
    const how = ['--git-dir', this.place, 'index-pack', '--stdin']
    execFileSync('git', how, { input: pack, stdio: ['pipe', 'ignore', 'ignore'] })
  }

  config(text: string): void {
    const file = join(this.place, 'config')
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n${text}`)
  }
}

function put(tree: Tree, parts: readonly string[], node: Node): void {
  const [name, ...below] = parts
  if (below.length === 0) {
    tree.set(name!, node)
    return
  }
  const there = tree.get(name!)
  const inner: Tree = there instanceof Map ? there : new Map()
  tree.set(name!, inner)
  put(inner, below, node)
}

/** An object in a pack. `times`: a delta, with the content of the blob before it so many times. */
export type Packed = { type: 'commit' | 'tree' | 'blob'; bytes: Buffer } | { times: number }

/** A pack as git-pack-objects(1) makes it, of a few kilobytes, whatever its objects take. */
export function packOf(all: Iterable<Packed>): Buffer {
  const objects = [...all]
  const chunks = [Buffer.from('PACK'), uint32(2), uint32(objects.length)]
  let last = { at: 0, length: 0 }
  let at = 12
  const add = (bytes: Buffer) => {
    chunks.push(bytes)
    at += bytes.length
  }
  for (const one of objects) {
    const begin = at
    if ('times' in one) {
      const copy = Buffer.from([0xf0, 0xff, 0xff, 0xff])
      const size = one.times * 0xffffff
      const copies = Array.from({ length: one.times }, () => copy)
      const delta = Buffer.concat([varint(last.length), varint(size), ...copies])
      add(headOf(6, delta.length))
      add(distance(begin - last.at))
      add(deflateSync(delta))
    } else {
      add(headOf(TYPES[one.type], one.bytes.length))
      add(deflateSync(one.bytes))
      last = { at: begin, length: one.bytes.length }
    }
  }
  const pack = Buffer.concat(chunks)
  return Buffer.concat([pack, createHash('sha1').update(pack).digest()])
}

const TYPES = { commit: 1, tree: 2, blob: 3 }

/** The zeros of which `{ times }` makes a larger file. */
export const ZEROS = Buffer.alloc(0xffffff)

/** The id of the file that `{ times }` makes of `ZEROS`. */
export function idOfZeros(times: number): string {
  const hash = createHash('sha1').update(`blob ${times * ZEROS.length}\0`)
  for (let n = 0; n < times; n += 1) hash.update(ZEROS)
  return hash.digest('hex')
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  return Buffer.from([...bytes, rest])
}

function headOf(type: number, size: number): Buffer {
  const first = (type << 4) | (size % 16)
  const rest = Math.floor(size / 16)
  return rest === 0 ? Buffer.from([first]) : Buffer.concat([Buffer.from([first | 128]), varint(rest)])
}

/** How far before a delta its base begins; see gitformat-pack(5). */
function distance(value: number): Buffer {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    bytes.unshift((rest % 128) | 128)
  }
  return Buffer.from(bytes)
}
