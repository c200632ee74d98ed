import type { Reader } from '../contract/reader.ts'
import { folders, isNamedAfter, locate, transcriptPath } from './locate.ts'
import { readTranscript } from './read.ts'

/** Kimi CLI, `kimi-cli` (1.x). Its successor Kimi Code keeps its sessions elsewhere and in another form. */
export const kimi: Reader = {
  id: 'kimi',
  name: 'Kimi CLI',
  sessions: { locate, folders, transcriptPath, isNamedAfter },
  // A subagent may write after the turn that started it.
  reading: { read: readTranscript, refersBack: () => true },
  tools: {
    vocabulary: {
      ReadFile: { reads: 'path' },
      WriteFile: { writes: 'path' },
      StrReplaceFile: { edits: 'path' },
      Grep: { searches: 'path' },
      Glob: { searches: 'directory' },
      Shell: { shell: 'command' },
    },
  },
}
