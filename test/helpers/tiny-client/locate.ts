import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { NativeSession } from '../../../src/clients/client.ts'
import { CortextError } from '../../../src/errors.ts'
import type { Place } from '../../../src/io/environment.ts'
import { listNames } from '../../../src/io/list-names.ts'
import { realFolder } from '../../../src/io/real-folder.ts'

export function locate(place: Place, folder: string): NativeSession[] {
  const store = storeOf(place, folder)
  return listNames(store, '.jsonl')
    .map((name) => {
      const transcript = join(store, name)
      const { size: bytes, mtime: lastActive } = statSync(transcript)
      const nativeId = name.replace(/\.jsonl$/, '')
      return { client: 'tiny', nativeId, transcript, title: '', cwd: folder, lastActive, bytes }
    })
    .sort((a, b) => b.lastActive.getTime() - a.lastActive.getTime())
}

export function transcriptPath(place: Place, folder: string, nativeId: string): string {
  if (!/^[\w-]+$/.test(nativeId)) throw new CortextError('unsafe-path', `no session id: ${nativeId}`)
  return join(storeOf(place, folder), `${nativeId}.jsonl`)
}

function storeOf(place: Place, folder: string): string {
  return join(place.home, '.tiny', encodeURIComponent(realFolder(folder)))
}
