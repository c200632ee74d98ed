import type { Environment } from '../../io/environment.ts'
import type { OwnSettings } from './settings.ts'

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
