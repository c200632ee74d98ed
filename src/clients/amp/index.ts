import type { Reader } from '../contract/reader.ts'
import { fromDocument } from './document.ts'
import { folders, locate, transcriptPath } from './locate.ts'
import { readTranscript, threadOf } from './read.ts'

/** Amp. A thread is a JSON document, which Amp writes anew at each change. */
export const amp: Reader = {
  id: 'amp',
  name: 'Amp',
  sessions: { locate, folders, transcriptPath },
  reading: {
    read: readTranscript,
    refersBack: () => true,
    sessionId: threadOf,
    fromExport: fromDocument,
  },
  tools: {
    vocabulary: {
      Read: { reads: 'path' },
      create_file: { writes: 'path' },
      edit_file: { edits: 'path' },
      Grep: { searches: 'path' },
      Bash: { shell: 'cmd' },
    },
  },
}
