/** A settings file of the client, with our hooks and pre-approved calls. Pure. */
export interface OwnSettings {
  /** The path of the file, relative to the workspace root: the person's own where the client has one for a project. */
  readonly file: string
  /** The same as `trustQuestion` of the pack (pack.ts), for our entries in this file. */
  readonly trustQuestion?: string
  /** True when the client accepts comments in its settings file. */
  readonly haveComments?: true
  /** True when the client also accepts a comma after the last entry of a list. */
  readonly haveTrailingCommas?: true
  /**
   * Fields that the client itself adds to a file that lacks them. A file that we make begins with these fields, so that
   * the client does not change the file. We remove the file when only these fields are left in it.
   */
  readonly blank?: Record<string, unknown>
  /**
   * Adds our entries to the settings. Idempotent. Throws `refused` on settings of an unknown shape.
   */
  add(settings: Record<string, unknown>): Record<string, unknown>
  /** The settings without our entries: `remove(add(s))` is `s`. It never throws. */
  remove(settings: Record<string, unknown>): Record<string, unknown>
}

/** Like OwnSettings, but for our MCP server. */
export interface OwnServer extends OwnSettings {
  /**
   * The command line or the address of the server named `cortext`, and whether that server is ours. Undefined when the
   * settings name no such server.
   */
  findServer(settings: Record<string, unknown>): { starts: string; ours: boolean } | undefined
}
