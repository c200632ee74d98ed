import { sha256 } from '../../hash.ts'

/** The files of one project at a place. No name has a slash. */
export interface Files {
  /**
   * A text that is another one whenever other files are there, since each is named after its bytes; undefined if there
   * are none. It is called before the others.
   */
  state: () => Promise<string | undefined>
  /** The names of the files, sorted. */
  list: () => Promise<string[]>
  /** Undefined if the file is not there, or not whole. Throws what else is wrong with it. */
  read: (name: string) => Promise<Buffer | undefined>
  write: (name: string, bytes: Buffer, how: Writing) => Promise<void>
  remove: (name: string) => void
  /** Where a person finds the file, below the address of the place. */
  where: (name: string) => string
  /**
   * Lets the place have what was written and removed. Returns the state then; `false` if another machine has sent
   * meanwhile, and nothing has changed there.
   */
  send: () => Promise<string | undefined | false>
}

export interface Writing {
  /** The keys of those who can open what is sealed. */
  readers: readonly string[]
  /** Whether all of it is written anew: something of what is there was erased, or it was sealed for others. */
  isAnew: boolean
}

/** The `state` of a place that has files with these names. */
export function stateOf(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : sha256(names.join('\n'))
}
