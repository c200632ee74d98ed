/** A sentence with a planted mark in it, once. */
export type Said = (mark: string) => string

export interface Wording {
  constraints: readonly Said[]
  decisions: readonly Said[]
  next: readonly Said[]
}

/**
 * All that people and agents say in the planted conversations. Each list is as long as that of every other language, so
 * that a seed gives the same conversation in all of them.
 */
export interface Language {
  name: string
  tasks: readonly Said[]
  wordings: {
    /** As people say it in plain words. Rules are made with these before one's eyes. */
    known: Wording
    /**
     * As people say it by a hint. Who makes rules for a language does not look at these. The English ones were written
     * when its rules were done, the others before there were any.
     */
    heldOut: Wording
  }
  /** What is said most of the time. */
  smallTalk: readonly ((thing: string, other: string) => string)[]
  things: readonly string[]
  /** Prose that sounds like constraints, decisions, problems and next steps, and is none of the planted ones. */
  noise: readonly string[]
  /** What stands between two sentences. */
  join: ' ' | ''
  /** Of these ordinary words of the language, written as it is written, marks of its own are made. */
  birds: readonly string[]
  /** Such a mark, of a bird and a number. */
  markOf: (bird: string, number: string) => string
}
