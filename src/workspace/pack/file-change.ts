/** What became of one file, for the person to see. */
export interface FileChange {
  /** Relative to the workspace root, with forward slashes; absolute outside of it. */
  path: string
  state: 'made' | 'updated' | 'unchanged' | 'kept' | 'removed'
  /** Why it was kept, and what to do about it. */
  note?: string
}
