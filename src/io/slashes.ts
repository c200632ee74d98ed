import { sep } from 'node:path'

/** A path of this system with forward slashes, as git, records and messages name it on every system. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
