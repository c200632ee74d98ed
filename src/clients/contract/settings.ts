/** A settings file of the client that our hooks and pre-approved calls are put into. Pure. */
export interface OwnSettings {
  /** The file, relative to the workspace root: one that is shared with others, or the person's own. */
  file(shared: boolean): string
  /** True when the client reads comments in that file. */
  readonly haveComments?: true
  /**
   * The settings with our entries in them; `shared` ones get nothing that changes how the client works for others.
   * Idempotent. Throws `refused` on settings of an unknown shape.
   */
  add(settings: Record<string, unknown>, shared?: boolean): Record<string, unknown>
  /** The settings without our entries: `remove(add(s))` is `s`. It never throws. */
  remove(settings: Record<string, unknown>): Record<string, unknown>
}
