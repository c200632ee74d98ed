import { createHash } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { listNames } from '../../io/list-names.ts'
import { realFolder } from '../../io/real-folder.ts'
import type { Reader } from '../contract/reader.ts'
import type { NativeSession } from '../contract/sessions.ts'
import { blocksOf, fieldsOf } from '../shared/transcript/fields.ts'
import { firstText } from '../shared/transcript/lines.ts'
import { checkId, listSessions } from '../shared/transcript/session-files.ts'
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

const WIRE = 'wire.jsonl'

/** Lists the sessions of a folder. Versions before 0.79 wrote no `wire.jsonl`: their sessions are left out. */
function locate(environment: Environment, folder: string): NativeSession[] {
  const cwd = realFolder(folder)
  const own = folderOf(environment, cwd)
  const files = listNames(own, '').map((nativeId) => ({ nativeId, transcript: join(own, nativeId, WIRE) }))
  return listSessions('kimi', files, ({ head, bytes }) => {
    const title = firstText(head, ({ message }) => {
      const { type, payload } = fieldsOf(message)
      return type === 'TurnBegin' && blocksOf(fieldsOf(payload).user_input)[0]?.text
    })
    return title === undefined && bytes === head.length ? undefined : { title: title ?? '', cwd }
  })
}

function folders({ env, home, cwd }: Environment): string[] {
  return [join(env.KIMI_SHARE_DIR ? resolve(cwd, env.KIMI_SHARE_DIR) : join(home, '.kimi'), 'sessions')]
}

function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  checkId(nativeId, 'a Kimi CLI', /^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'cortext list')
  return join(folderOf(environment, realFolder(folder)), nativeId, WIRE)
}

/** A session's folder has its id as its name. */
function isNamedAfter(transcript: string, nativeId: string): boolean {
  return basename(transcript) === WIRE && basename(dirname(transcript)) === nativeId
}

/** The folder with the sessions of a project is named by a hash of the project's path (1.49.0). */
function folderOf(environment: Environment, project: string): string {
  return join(folders(environment)[0]!, createHash('md5').update(project).digest('hex'))
}
