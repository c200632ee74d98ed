/** A settings file of the client that our hooks and pre-approved calls are put into. Pure. */
export interface OwnSettings {
  /** The file, relative to the workspace root: one that is shared with others, or the person's own. */
  file(shared: boolean): string
  /**
   * The client's question to each person about these entries before it runs them, in one line. Absent: it asks nothing.
   */
  readonly asks?: string
  /** True when the client reads comments in that file. */
  readonly haveComments?: true
  /** True when it also takes a comma after the last entry of a list. */
  readonly haveTrailingCommas?: true
  /**
   * Fields that the client itself puts into a file without them. A file that we make begins with it, so that the
   * client leaves it as it is, and goes when nothing else is left in it.
   */
  readonly blank?: Record<string, unknown>
  /**
   * The settings with our entries in them; `shared` ones get nothing that changes how the client works for others.
   * Idempotent. Throws `refused` on settings of an unknown shape.
   */
  add(settings: Record<string, unknown>, shared?: boolean): Record<string, unknown>
  /** The settings without our entries: `remove(add(s))` is `s`. It never throws. */
  remove(settings: Record<string, unknown>): Record<string, unknown>
}

/** The same for our MCP server. */
export interface OwnServer extends OwnSettings {
  /** The command of the server of our name, and whether it is ours. Undefined when the settings name none. */
  named(settings: Record<string, unknown>): { starts: string; ours: boolean } | undefined
}
