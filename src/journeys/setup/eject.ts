import { keepWorkspaceFiles } from '../../store/machine/copies.ts'
import { ejectFiles } from '../../workspace/pack/eject.ts'
import { type FileChange, readManifest, writeManifest } from '../../workspace/pack/manifest.ts'
import { shippedPack } from '../../workspace/pack/shipped.ts'

/** Copies a prompt, a template or a type of the package into `.workspace/`, for the person to change. See ejectFiles. */
export function eject(
  { root, local }: { root: string; local: string },
  name: string,
  pack = shippedPack(),
): FileChange[] {
  const manifest = readManifest(root, local)
  const changes = ejectFiles(root, name, manifest, pack)
  writeManifest(root, manifest, local)
  keepWorkspaceFiles(local, root)
  return changes
}
