/** A settings file of the client, with our hooks and pre-approved calls. Pure. */
export interface OwnSettings {
  /** The path, relative to the workspace root, of the file that is shared with others, or of the person's own file. */
  file(shared: boolean): string
  /**
   * The question that the client asks each person about these entries before it runs them, in one line. Absent: it does
   * not ask.
   */
  readonly trustQuestion?: string
  /** True when the client reads comments in that file. */
  readonly haveComments?: true
  /** True when the client also accepts a comma after the last entry of a list. */
  readonly haveTrailingCommas?: true
  /**
   * Fields that the client itself adds to a file that lacks them. A file that we make begins with them, so that the
   * client does not change it; we remove the file when nothing else is left in it.
   */
  readonly blank?: Record<string, unknown>
  /**
   * The settings with our entries in them. Shared settings get nothing that changes how the client works for others.
   * Idempotent. Throws `refused` on settings of an unknown shape.
   */
  add(settings: Record<string, unknown>, shared?: boolean): Record<string, unknown>
  /** The settings without our entries: `remove(add(s))` is `s`. It never throws. */
  remove(settings: Record<string, unknown>): Record<string, unknown>
}

/** Like OwnSettings, but for our MCP server. */
export interface OwnServer extends OwnSettings {
  /**
   * What the server named `cortext` starts, and whether it is ours. Undefined when the settings name no such server.
   */
  findServer(settings: Record<string, unknown>): { starts: string; ours: boolean } | undefined
}
