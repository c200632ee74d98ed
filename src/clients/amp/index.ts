import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import { MAX_LINE, readText } from '../../io/regular-file.ts'
import type { Reader } from '../contract/reader.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { blocksOf, fieldsOf, jsonIn, listOf, textOf } from '../shared/transcript/fields.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { checkId, listSessions } from '../shared/transcript/session-files.ts'
import { folderOf, fromExport, readTranscript } from './read.ts'

/** Amp. A thread is a JSON document, which Amp writes anew at each change. */
export const amp: Reader = {
  id: 'amp',
  name: 'Amp',
  sessions: { locate, folders, transcriptPath },
  reading: {
    read: readTranscript,
    refersBack: () => true,
    sessionId: (bytes) => firstText(bytes, ({ thread }) => thread),
    fromExport,
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

/** Lists the threads of a folder. Only the end of a document names it, so all up to MAX_LINE are read. */
function locate(environment: Environment, folder: string): NativeSession[] {
  const wanted = realFolder(folder)
  const own = folders(environment)[0]!
  const files = listNames(own, '.json').map((name) => {
    return { nativeId: name.replace(/\.json$/, ''), transcript: join(own, name) }
  })
  return listSessions('amp', files, ({ path, bytes }) => {
    const thread = fieldsOf(jsonIn((bytes <= MAX_LINE && readText(path)) || ''))
    const cwd = folderOf(thread) ?? ''
    const [first] = listOf(thread.messages).map(fieldsOf)
    if (first === undefined || cwd === '' || realFolder(cwd) !== wanted) return undefined
    return { title: textOf(thread.title) || textOf(blocksOf(first.content)[0]?.text), cwd }
  })
}

function folders({ env, home }: Environment): string[] {
  return [join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'amp', 'threads')]
}

function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  checkId(nativeId, 'an Amp', /^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'cortext list')
  return join(folders(environment)[0]!, `${nativeId}.json`)
}
