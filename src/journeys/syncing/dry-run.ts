import { changedSinceHistory } from '../../conversation/keeping/history.ts'
import { inHistory } from '../../conversation/keeping/open-history.ts'
import { listInside, readBytesInside } from '../../io/inside.ts'
import { redactText } from '../../redact/index.ts'
import { readPlace } from '../../store/machine/place.ts'
import { type Entry, scanConversations } from '../../store/scan.ts'
import { BRANCH } from '../../workspace/git/own-repository.ts'
import { addressOf, JOINED } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { planRedaction, type RedactReport } from '../editing/redact.ts'
import { isSame } from './plan.ts'
import { type Side, sideOf } from './sides.ts'
import { checkCanSync, placeOf, talkedAboutNow } from './sync.ts'
import { awaitedPlace } from './unsent.ts'

export interface WouldSend {
  address: string
  conversations: { path: string; isNew: boolean; secrets: RedactReport['files'] }[]
  /** Paths of conversations that are kept here. */
  kept: string[]
}

/**
 * Lists what a sync would send to the place, or to the one that `to` names, with the secrets that the rules of today find in it, its documents too. It
 * compares with what both had after the last sync, changes nothing and asks no place. Throws `refused` as `sync` does,
 * `locked`, what files throw, and git's errors.
 */
export function planSync(ws: Workspace, to?: string): WouldSend {
  checkCanSync(ws)
  const address =
    to === undefined ? (awaitedPlace(ws) ?? placeOf(ws).address) : addressOf(to, ws.environment.cwd)
  const isKnown = readPlace(ws.local)?.address === address
  let [saved, sent]: (Side | undefined)[] = []
  inHistory(ws, {}, (repository) => {
    saved = sideOf(repository, BRANCH)
    if (isKnown) sent = sideOf(repository, JOINED)
  })
  const live = talkedAboutNow(ws)
  const unsaved = new Set(changedSinceHistory(ws).filter((path) => !live.has(path)))
  const goes = ({ path, session }: Entry) => {
    const [now, before] = [saved, sent].map((side) => side?.conversations.get(session?.origin ?? ''))
    if (now === undefined) return !live.has(path)
    return !isSame(now, before) || unsaved.has(path)
  }
  const there = scanConversations(ws.root, ws.local, ws).filter(
    ({ backupOnly, session }) => backupOnly !== true && session?.origin !== undefined,
  )
  const [kept, others] = [true, false].map((isKept) =>
    there.filter(({ session }) => (session!.keep_here === true) === isKept),
  )
  return {
    address,
    conversations: others!.filter(goes).map(({ path, session }) => ({
      path,
      isNew: !sent?.conversations.has(session!.origin!),
      secrets: secretsIn(ws, path),
    })),
    kept: kept!.map(({ path }) => path),
  }
}

function secretsIn(ws: Workspace, path: string): RedactReport['files'] {
  const documents = listInside(ws.root, path, '.md').map((file) => {
    const text = readBytesInside(ws.root, `${path}/${file}`)?.toString('utf8') ?? ''
    const found: Record<string, number> = {}
    for (const { kind } of redactText(text).found) found[kind] = (found[kind] ?? 0) + 1
    return { file, found }
  })
  return [...documents, ...planRedaction(ws, path).files].filter(({ found }) => Object.keys(found).length > 0)
}
