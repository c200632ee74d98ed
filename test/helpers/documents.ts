import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fg from 'fast-glob'

const ROOT = join(import.meta.dirname, '../..')

/** Pages that show users what to type. */
export const PAGES = ['README.md', ...fg.sync(['docs/*.md', 'docs/clients/README.md'], { cwd: ROOT })]

export function documentAt(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

/** The blocks of code of a document: all, or those of one language. */
export function fencesOf(path: string, language?: string): string[] {
  return [...documentAt(path).matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, named]) => language === undefined || named === language)
    .map(([, , text]) => text!)
}

/** The command lines in the blocks of a document: `cortext list   # a comment` → `cortext list`. */
export function commandLinesOf(path: string): string[] {
  return fencesOf(path)
    .flatMap((text) => text.split('\n'))
    .flatMap((line) =>
      line
        .replace(/^\$ /, '')
        .replace(/\s+#.*$/, '')
        .split('&&'),
    )
    .map((line) => line.trim())
}
