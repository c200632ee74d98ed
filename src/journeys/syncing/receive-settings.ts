import { clientList } from '../../clients/index.ts'
import { otherRoots } from '../../conversation/worktrees.ts'
import { removeInside, statInside, writeInside } from '../../io/inside.ts'
import { contentsOf, type OwnRepository } from '../../workspace/git/own-repository.ts'
import { mergeTexts } from '../../workspace/git/place.ts'
import type { Workspace } from '../../workspace/open.ts'
import { renderPack } from '../../workspace/pack/index.ts'
import { readManifest } from '../../workspace/pack/manifest.ts'
import { personalIds } from '../../workspace/pack/personal.ts'
import { applyVisibility, hiddenPaths } from '../../workspace/visibility.ts'
import { setUpClients } from '../setup/set-up-clients.ts'
import type { Sides } from './sides.ts'

/**
 * Writes or removes settings, types, commands and prompts that the place has changed, and renders the commands for the
 * clients that are set up. What one side has removed and the other has changed stays. A text that both have changed has
 * both changes, if they do not meet. Returns the paths of what is different here now, and of what both have changed
 * otherwise: that stays as it is here. Throws what files throw, and git's errors.
 */
export function receiveSettings(
  ws: Workspace,
  repository: OwnRepository,
  sides: Sides,
): { taken: string[]; kept: string[] } {
  const { base, ours, theirs } = sides
  const taken = new Map<string, Buffer>()
  const kept: string[] = []
  const changed = [...theirs.settings]
    .map(([path, blob]) => ({ path, blob }))
    .filter(({ path, blob }) => blob !== ours.settings.get(path) && blob !== base.settings.get(path))
  const contents = contentsOf(repository, changed)
  for (const [index, { path }] of changed.entries()) {
    const own = ours.settings.get(path)
    const isFree = own === undefined || own === base.settings.get(path)
    const bytes = isFree ? contents[index] : merged(repository, path, sides)
    if (bytes === undefined) kept.push(path)
    else taken.set(path, bytes)
  }
  const rootsWith = (path: string) =>
    [ws.root, ...otherRoots(ws)].filter((root) => root === ws.root || statInside(root, path) !== undefined)
  for (const [path, bytes] of taken) for (const root of rootsWith(path)) writeInside(root, path, bytes)
  const removed = [...ours.settings].flatMap(([path, blob]) =>
    base.settings.get(path) === blob && !theirs.settings.has(path) && isPersons(path) ? [path] : [],
  )
  for (const path of removed) for (const root of rootsWith(path)) removeInside(root, path)
  if (taken.size + removed.length > 0) {
    renderPack(ws, setUpClients(ws), { personal: personalIds(ws.environment, clientList()) })
    // A type may have a folder of its own.
    applyVisibility(ws.root, ws.config.visibility, hiddenPaths(ws.root, readManifest(ws.root, ws.local)))
  }
  return { taken: [...taken.keys(), ...removed], kept }
}

/** Whether it is the person's. The versions of commands that conversations name never change, and nobody removes them. */
export function isPersons(path: string): boolean {
  return !path.startsWith('.workspace/prompts/')
}

/** A text that both have changed, with both changes. Undefined if they meet. */
function merged(repository: OwnRepository, path: string, { base, ours, theirs }: Sides): Buffer | undefined {
  const blobs = [base, ours, theirs].flatMap(({ settings }) => settings.get(path) ?? [])
  if (!path.endsWith('.md') || blobs.length < 3) return undefined
  const [before, own, their] = contentsOf(
    repository,
    blobs.map((blob) => ({ path, blob })),
  )
  return mergeTexts(repository, before!, own!, their!)
}
