import type { Synced } from '../../../journeys/syncing/synced.ts'
import { countOf } from '../../../text/count-of.ts'
import { oneLine, shortLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'
import { INCOMPLETE } from '../../../workspace/places/place.ts'
import { inShort } from '../../print.ts'

/** Whether a sync has moved no conversation, and has nothing to tell of one at the place. */
export function isIdle(done: Synced): boolean {
  const { unread, unknown, asked } = done
  return [...partsOf(done).map(([, paths]) => paths), unread, unknown, asked].every(
    ({ length }) => length === 0,
  )
}

/** What a sync has done, in a few lines. */
export function summaryOf(done: Synced): string[] {
  const some = [
    ...partsOf(done).map((part) => ['conversation', ...part] as const),
    ['setting', 'sent', done.settingsSent] as const,
    ['setting', 'changed here', done.settingsTaken] as const,
  ].filter(([, , paths]) => paths.length > 0)
  if (some.length === 0) return [done.unsaved.length > 0 ? 'Nothing was sent.' : 'Up to date.']
  return some.map(([what, how, paths]) => `${countOf(paths.length, what)} ${how}: ${inShort(paths)}`)
}

function partsOf({ sent, taken, joined, deleted, erased, redacted }: Synced): [string, readonly string[]][] {
  return [
    ['sent', sent],
    ['new here', taken],
    ['changed here', joined],
    ['deleted here', deleted],
    ['deleted at the place too, also in its history', erased],
    ['redacted at the place too, also in its history', redacted],
  ]
}

/** What a person has to know, or to do, after a sync. */
export function remarksOn({
  asked,
  retitled,
  unsent,
  unknown,
  unsaved,
  settings,
  conflicts,
  titles,
  renamed,
  keys,
  back,
  unread,
  readers,
  putBack,
  place,
  sent,
}: Synced): string[] {
  const whatWasChanged = (path: string) => {
    if (retitled.includes(path))
      return 'its title, status or tags were changed here; it has no words that were never sent'
    return unsent.includes(path)
      ? 'has words here that were never sent'
      : 'may have words here that were never sent'
  }
  const incomplete = unread.filter(({ problem }) => problem === INCOMPLETE)
  return [
    ...(putBack === undefined || sent.length === 0
      ? []
      : [
          `${oneLine(place.address)} has less than this machine has seen there: somebody has put it back to an earlier state, or a service is still copying. What was missing was sent again.`,
        ]),
    ...conflicts.map(
      ({ file, other }) =>
        `Two machines have changed ${file} in the same place. The other version is beside it, in ${other}: join them, and remove that file.`,
    ),
    ...titles.map(
      ({ path, title, other }) =>
        `Two machines have renamed ${path}. Its title is now "${shortLine(title, LONGEST_TITLE)}". To take the other one: ${paste`cortext edit ${path} --title ${oneLine(other)}`}`,
    ),
    ...someOf(
      renamed,
      ({ path, title, before }) =>
        `Another machine has renamed ${path}, here "${shortLine(before, LONGEST_TITLE)}". Its title is now "${shortLine(title, LONGEST_TITLE)}".`,
    ),
    ...keys.map(
      ({ key, means, others }) =>
        `Two machines began a conversation with the key ${oneLine(key)}. The key now means the older one, ${means}, and new turns go there. What was said in ${others.join(', ')} stays there, and lists show the key with both.`,
    ),
    ...someOf(
      back,
      (path) =>
        `${path} was deleted on a machine that did not have all of its words. So it is not deleted. To delete it with them: ${paste`cortext delete ${path}`}`,
    ),
    ...unsaved.map(
      ({ path, message }) => `${path} could not be saved, so only its last save was sent: ${message}`,
    ),
    ...asked.map(
      (path) =>
        `${path} was deleted on another machine, and ${whatWasChanged(path)}. It stays here, and is not sent. To delete it here too: ${paste`cortext delete ${path}`}. To keep it for all: ${paste`cortext fork ${path}`}, then delete it.`,
    ),
    ...someOf(
      unknown,
      (path) =>
        `${shortLine(path, LONGEST_NAME)} stays at the place: no type in .workspace/registry.json has this folder, it has other files here, or a newer cortext wrote it.`,
    ),
    ...(incomplete.length === 0
      ? []
      : [
          `${countOf(incomplete.length, 'file')} at ${oneLine(place.address)} ${incomplete.length === 1 ? 'is' : 'are'} not whole yet, so what other machines have sent with ${incomplete.length === 1 ? 'it' : 'them'} is not here: a service may still be copying. The next sync looks again. If it stays so, sync on those machines.`,
        ]),
    ...someOf(
      unread.filter(({ problem }) => problem !== INCOMPLETE),
      ({ file, problem }) => `${shortLine(file, LONGEST_NAME)} was left alone: ${problem}`,
    ),
    ...someOf(readers, ({ reader, trusted }) =>
      trusted
        ? `${reader} can open this project at the place too. If you do not know this key: ${paste`cortext sync --remove-reader ${reader}`}`
        : `The place names a key that was not let in here, so what this machine sends is not sealed for it. If another machine of yours let it in, do it here too: ${paste`cortext sync --reader ${reader}`}. Otherwise: ${paste`cortext sync --remove-reader ${reader}`}`,
    ),
    ...settings.map(
      (path) => `${path} was changed on both machines, in the same place. The one of this machine was sent.`,
    ),
  ]
}

/** A line for each, and one for the rest. A stranger may have made thousands. */
function someOf<T>(all: readonly T[], line: (one: T) => string): string[] {
  const more = all.length - MOST_LINES
  return [...all.slice(0, MOST_LINES).map(line), ...(more > 0 ? [`… and ${more} more.`] : [])]
}

const MOST_LINES = 20
const LONGEST_NAME = 200
const LONGEST_TITLE = 100
