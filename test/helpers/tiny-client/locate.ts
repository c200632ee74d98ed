import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { NativeSession } from '../../../src/clients/contract/sessions.ts'
import { CortextError } from '../../../src/errors.ts'
import type { Environment } from '../../../src/io/environment.ts'
import { listNames } from '../../../src/io/list-names.ts'
import { realFolder } from '../../../src/io/real-folder.ts'

export function locate(environment: Environment, folder: string): NativeSession[] {
  const store = storeOf(environment, folder)
  return listNames(store, '.jsonl')
    .map((name) => {
      const transcript = join(store, name)
      const { size: bytes, mtime: lastActive } = statSync(transcript)
      const nativeId = name.replace(/\.jsonl$/, '')
      return { client: 'tiny', nativeId, transcript, title: '', cwd: folder, lastActive, bytes }
    })
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

export function transcriptPath(environment: Environment, folder: string, nativeId: string): string {
  if (!/^[\w-]+$/.test(nativeId)) throw new CortextError('unsafe-path', `no session id: ${nativeId}`)
  return join(storeOf(environment, folder), `${nativeId}.jsonl`)
}

function storeOf(environment: Environment, folder: string): string {
  return join(environment.home, '.tiny', encodeURIComponent(realFolder(folder)))
}
