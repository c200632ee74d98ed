import { isConflictMarker } from './problem.ts'

export interface Sides {
  ours: string
  theirs: string
  /** The 1-based line of the first marker, and its length in bytes, with its line break. */
  line: number
  bytes: number
}

/**
 * Both versions of a text in which git left conflict markers (gitattributes(5), also `diff3`). Undefined when the text
 * has no such markers.
 */
export function splitConflict(text: string): Sides | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => line.startsWith('<<<<<<<') && isConflictMarker(line.trimEnd()))
  if (first === -1) return undefined
  const ours: string[] = []
  const theirs: string[] = []
  let side: 'both' | 'ours' | 'base' | 'theirs' = 'both'
  for (const line of lines) {
    const marker = isConflictMarker(line.trimEnd()) ? line[0] : undefined
    if (marker !== undefined) side = SIDE_AFTER[marker] ?? side
    else {
      if (side === 'both' || side === 'ours') ours.push(line)
      if (side === 'both' || side === 'theirs') theirs.push(line)
    }
  }
  return {
    ours: ours.join('\n'),
    theirs: theirs.join('\n'),
    line: first + 1,
    bytes: Buffer.byteLength(lines[first]!) + 1,
  }
}

const SIDE_AFTER: Record<string, 'both' | 'ours' | 'base' | 'theirs'> = {
  '<': 'ours',
  '|': 'base',
  '=': 'theirs',
  '>': 'both',
}
