import { sep } from 'node:path'

/** A path of this system with forward slashes. Git, records and messages use forward slashes on every system. */
export function withSlashes(path: string): string {
  return sep === '/' ? path : path.replaceAll(sep, '/')
}
