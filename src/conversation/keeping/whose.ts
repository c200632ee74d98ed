import { isOrigin } from '../../session/sharing/origin.ts'
import { RECORD } from '../../store/layout.ts'
import { tryParse } from '../../store/record/session-file.ts'
import { contentsOf, filesOf, filesThatHad, type OwnRepository } from '../../workspace/git/own-repository.ts'

/**
 * Of the ids of contents of session.json, those that say another origin: of two conversations that have had a folder one
 * after the other, they are the other one. Without an origin, nobody can tell.
 */
export function othersAmong(
  repository: OwnRepository,
  blobs: readonly string[],
  origin: string | undefined,
): string[] {
  if (origin === undefined || blobs.length === 0) return []
  const contents = contentsOf(
    repository,
    blobs.map((blob) => ({ path: '', blob })),
  )
  return blobs.filter((_, at) => {
    const { origin: there } = Object(tryParse(contents[at]!.toString('utf8'))) as Record<string, unknown>
    return typeof there === 'string' && isOrigin(there) && there !== origin
  })
}

/** Those of these folders that have this conversation in the last commit of a reference: another one may be there by now. */
export function ownAmong(
  repository: OwnRepository,
  folders: readonly string[],
  origin: string | undefined,
  ref?: string,
): string[] {
  if (folders.length === 0) return []
  const sessions = folders.map((folder) => `${folder}/${RECORD.session}`)
  const saved = (filesOf(repository, [...folders], ref) ?? []).filter(({ path }) => sessions.includes(path))
  const blobs = saved.map(({ blob }) => blob)
  const others = new Set(othersAmong(repository, blobs, origin))
  const own = new Set(saved.filter(({ blob }) => !others.has(blob)).map(({ path }) => path))
  return folders.filter((_, at) => own.has(sessions[at]!))
}

/** All folders that a conversation has had in the history of a reference. */
export function foldersOfOrigin(repository: OwnRepository, ref: string, origin: string): string[] {
  return filesThatHad(repository, ref, RECORD.session, originText(origin)).map(folderOfSession)
}

/** How a session.json that this program has written names its origin. */
export function originText(origin: string): string {
  return `"origin": ${JSON.stringify(origin)}`
}

export function folderOfSession(file: string): string {
  return file.slice(0, -RECORD.session.length - 1)
}
