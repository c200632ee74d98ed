export interface Questions {
  /**
   * Says how to put one question to the client's model without a terminal, in an empty folder: with no tools, hooks,
   * plugins or commands, as far as the client can be told so. Command lines hold constants only. Pure.
   */
  ask(question: Question): AskSpec
}

export interface Question {
  /** Constant words of ours. */
  system: string
  /** Begins with words of ours; the rest is text from a record. */
  user: string
}

export interface AskSpec {
  command: string
  args: string[]
  env: Record<string, string>
  /** Files that are written into the folder before the start; their paths are relative to it. */
  files: { path: string; content: string }[]
  /** What the program is given on stdin. */
  input: string
  /** The answer in what the program printed on stdout; undefined where that is no answer. */
  answer(stdout: string): AskAnswer | undefined
}

export interface AskAnswer {
  text: string
  /** The model that wrote it, where the client tells. */
  model?: string
  /** Tokens as the client counts them, where it does. */
  tokens?: { read: number; wrote: number }
}
