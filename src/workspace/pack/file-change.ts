/** What happened to one file, to be shown to the person. */
export interface FileChange {
  /** The path relative to the workspace root, with forward slashes; absolute for a file outside the root. */
  path: string
  state: 'made' | 'updated' | 'unchanged' | 'kept' | 'removed'
  /** Why the file was kept, and what to do about it. */
  note?: string
}
