import { withDefault } from '../../errors.ts'
import { TEMP_SUFFIX } from '../../io/atomic-write.ts'
import { listInside, MAX_LINES, pathInside, readBytesInside, readInside } from '../../io/inside.ts'
import { listFilesBelow } from '../../io/list-names.ts'
import { withSlashes } from '../../io/slashes.ts'
import { RECORD } from '../../store/layout.ts'
import { CONFIG, rawConfig } from '../../workspace/config.ts'
import { formatLike } from '../../workspace/merge/json-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { filesForGit } from '../../workspace/visibility.ts'

/** The files of a conversation that git would track. */
export function filesOfConversation(root: string, path: string): [string, Buffer][] {
  return listFilesBelow(pathInside(root, path))
    .map((name) => `${path}/${withSlashes(name)}`)
    .filter((file) => !file.startsWith(`${path}/${RECORD.attachments}/`) && !file.endsWith(TEMP_SUFFIX))
    .flatMap((file) => bytesOf(root, file))
}

/** The files of a conversation beside its record, by their names below its folder. */
export function documentsOf(root: string, path: string): [name: string, Buffer][] {
  return listFilesBelow(pathInside(root, path))
    .map(withSlashes)
    .filter((name) => !name.startsWith(`${RECORD.folder}/`) && !name.endsWith(TEMP_SUFFIX))
    .flatMap((name) => bytesOf(root, `${path}/${name}`).map(([, bytes]): [string, Buffer] => [name, bytes]))
}

/** The person's settings, and the prompts that conversations name, in a form in which git tracks conversations. */
export function filesOfWorkspace({ root }: Workspace): [string, Buffer][] {
  const names = FOLDERS.flatMap((folder) =>
    ['.json', '.md'].flatMap((suffix) => listInside(root, folder, suffix).map((name) => `${folder}/${name}`)),
  )
  const own = names.filter((path) => path !== CONFIG).flatMap((path) => bytesOf(root, path))
  const settings = { ...rawConfig(root), visibility: 'shared' }
  const files = { ...filesForGit(), [CONFIG]: formatLike(settings, readInside(root, CONFIG)) }
  return [...own, ...Object.entries(files).map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])]
}

const FOLDERS = ['', '/commands', '/templates', '/memory', '/prompts'].map((folder) => `.workspace${folder}`)
export const WORKSPACE = ['.workspace', ...Object.keys(filesForGit())]

/** The bytes of a file; nothing for a link, for what cannot be read, and for what is too large for a record. */
export function bytesOf(root: string, path: string): [string, Buffer][] {
  const bytes = withDefault(undefined, () => readBytesInside(root, path, MAX_LINES))
  return bytes === undefined ? [] : [[path, bytes]]
}
