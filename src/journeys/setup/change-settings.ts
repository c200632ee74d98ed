import { readInside } from '../../io/inside.ts'
import { CONFIG, writeConfig } from '../../workspace/config.ts'
import type { JsonObject } from '../../workspace/merge/json-file.ts'
import type { Workspace } from '../../workspace/open.ts'
import { commandHash } from '../../workspace/pack/commands.ts'
import { noteWritten, readManifest, writeManifest } from '../../workspace/pack/manifest.ts'

/**
 * Sets these settings of a workspace, as a command asks for. A file that nobody else has edited stays one of ours, which
 * `uninstall` removes. Throws `corrupt`.
 */
export function changeSettings({ root, local }: Workspace, changes: JsonObject): void {
  const before = readInside(root, CONFIG)
  writeConfig(root, changes)
  const manifest = readManifest(root, local)
  if (before === undefined || commandHash(before) !== manifest.files[CONFIG]) return
  noteWritten(manifest, manifest.files, CONFIG, commandHash(readInside(root, CONFIG) ?? ''))
  writeManifest(root, manifest, local)
}
