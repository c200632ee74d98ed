import type { Environment } from '../../io/environment.ts'

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

/** Where a client reads the person's own commands, hooks and permissions, which it uses in every folder. */
export interface Personal {
  /** The client's own folder, such as `~/.claude`. Absolute; it need not exist. */
  folder(environment: Environment): string
  /** The place in that folder of a file that the pack renders, given by its path in a workspace. */
  place(path: string): string
  /**
   * Our entries in the person's settings; `file` is relative to `folder`. Their hooks run `cortext hook <client>
   * --personal`, which leaves a session to the hooks of its workspace, if that has some. Absent: there are no entries.
   */
  readonly settings?: OwnSettings
  /**
   * One line that says why our commands do not work in a workspace that has them too. Absent: they work there, and the
   * client chooses one of two commands with the same name.
   */
  readonly clash?: string
}
