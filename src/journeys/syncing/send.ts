import { type Gone, isDeleted, markOf } from '../../store/machine/place.ts'
import { CONFIG } from '../../workspace/config.ts'
import { blobOf, type OwnChange } from '../../workspace/git/own-repository.ts'
import { GONE, type Sides } from './sides.ts'

/**
 * What a commit at the place has to change, so that it has what `ours` has. A conversation goes only if it is `gone`, not
 * because this machine does not have it. Pure.
 */
export function changesToSend({ base, ours, theirs }: Sides, gone: Gone): OwnChange[] {
  const wanted = new Map(theirs.files)
  for (const [origin, { path, files }] of [...theirs.conversations, ...theirs.unnamed]) {
    if (ours.conversations.has(origin) || isDeleted(gone, markOf(origin)))
      for (const name of files.keys()) wanted.delete(`${path}/${name}`)
  }
  for (const { path, files } of ours.conversations.values())
    for (const [name, blob] of files) wanted.set(`${path}/${name}`, blob)
  for (const path of base.settings.keys()) if (!ours.settings.has(path)) wanted.delete(path)
  for (const [path, blob] of ours.settings) wanted.set(path, blob)
  for (const path of ['.gitattributes', '.gitignore']) {
    const blob = theirs.files.get(path) ?? ours.files.get(path)
    if (blob !== undefined) wanted.set(path, blob)
  }
  const removed = [...theirs.files.keys()].filter((path) => !wanted.has(path))
  const changed = [...wanted].filter(([path, blob]) => theirs.files.get(path) !== blob)
  const text = `${JSON.stringify(gone, null, 2)}\n`
  const blob = isEmpty(gone) ? undefined : blobOf(Buffer.from(text))
  return [
    ...removed.map((path) => ({ path, bytes: undefined })),
    ...changed.map(([path, blob]) => ({ path, blob })),
    ...(theirs.files.has(CONFIG) ? [] : [{ path: CONFIG, bytes: FOR_A_CLONE }]),
    ...(blob === undefined || theirs.files.get(GONE) === blob
      ? []
      : [{ path: GONE, bytes: Buffer.from(text) }]),
  ]
}

/**
 * How what both have now differs from what was sent, because some conversations of this machine were not joined, those with
 * these origins: of them, both have what they had before. Pure.
 */
export function notJoined({ base, theirs }: Sides, apart: Iterable<string>): OwnChange[] {
  const paths = new Set([...theirs.conversations.values()].map(({ path }) => path))
  return [...apart].flatMap((origin): OwnChange[] => {
    const [before, there] = [base.conversations.get(origin), theirs.conversations.get(origin)]
    if (there === undefined) return []
    const removed = [...there.files.keys()].map((name) => ({
      path: `${there.path}/${name}`,
      bytes: undefined,
    }))
    // Another conversation may have its folder by now. Without an earlier version, each line is joined all the same.
    if (before === undefined || (before.path !== there.path && paths.has(before.path))) return removed
    return [
      ...removed,
      ...[...before.files].map(([name, blob]) => ({ path: `${before.path}/${name}`, blob })),
    ]
  })
}

/** The settings that make a clone of the place a workspace. Those of a machine stay there. */
const FOR_A_CLONE = Buffer.from(`${JSON.stringify({ visibility: 'shared' }, null, 2)}\n`)

function isEmpty(gone: Gone): boolean {
  return Object.values(gone).every((counts) => Object.keys(counts).length === 0)
}
