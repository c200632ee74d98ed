import type { Unread } from '../../workspace/places/place.ts'

/** What a sync has done. Each list has the paths of conversations. */
export interface Synced {
  /** `branch` is the name of the branch or folder of this project there. */
  place: { address: string; branch: string }
  /** Sent to the place: new, changed or removed there. */
  sent: string[]
  /** New here. */
  taken: string[]
  /** Both sides had changed, or only the place had. */
  joined: string[]
  deleted: string[]
  /** Taken out of the place and its history, because they were deleted here. */
  erased: string[]
  /** Their secrets were taken out of the place and its history, because they were redacted here. */
  redacted: string[]
  /** Documents that two machines have changed in the same place, with the file beside it that has the other version. */
  conflicts: { file: string; other: string }[]
  /** Titles that two machines have changed: the one that it has now, and the other one. */
  titles: { path: string; title: string; other: string }[]
  /** Titles that only another machine has changed: the one that it has now, and the one from before. */
  renamed: { path: string; title: string; before: string }[]
  /** Conversations that two machines began with one key, the one that the key means first. */
  keys: { key: string; means: string; others: string[] }[]
  /** Deleted on a machine that did not have all words that others had sent, and so no longer deleted. */
  back: string[]
  /** Deleted on another machine, with changes here that were never sent. */
  asked: string[]
  /** Those of `asked` of which only the title, the status or the tags were changed here. */
  retitled: string[]
  /**
   * Those of `asked` that have words which were never sent. Of those that are in neither list, an earlier sync has said what
   * was changed.
   */
  unsent: string[]
  /** Of a type that is not in the registry here, or of a newer program: they stay at the place. */
  unknown: string[]
  /** Could not be saved before, with the reason: what the last save had was sent. */
  unsaved: { path: string; message: string }[]
  /** Settings that both sides have changed in the same place. Those of this machine were sent. */
  settings: string[]
  /** Settings, commands and types that the place did not have as they are here. */
  settingsSent: string[]
  /** Those that another machine has changed, and that are now so here. */
  settingsTaken: string[]
  /** The place has less than this machine has seen there. What was missing was sent again. */
  putBack?: true
  /**
   * Keys of others that the place names. This machine seals for those that are `trusted`: they were there at its first
   * sync. The others were let in elsewhere.
   */
  readers: { reader: string; trusted: boolean }[]
  /** Files at the place that were left alone. */
  unread: Unread[]
}
