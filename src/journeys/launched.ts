import { liveStretch, readBinding, updateBinding } from '../store/binding.ts'
import { bind } from './binding.ts'
import { type NativeName, nativeOf } from './native-here.ts'
import type { Workspace } from './open.ts'

/**
 * A client that makes the ids of its sessions itself tells here which one a launch has become: what was bound to the
 * id that the launch was given goes on in it, from its next turn. False when nothing is.
 */
export function launchBecame(ws: Workspace, launched: string, native: NativeName): boolean {
  const binding = readBinding(ws.local, native.client, launched)
  const waiting = binding === undefined ? undefined : liveStretch(binding)
  if (waiting === undefined) return false
  const here = nativeOf(ws, native)
  if (here.live !== undefined) return false
  const { conversation } = waiting
  bind(ws, here, { conversation, how: 'resume', from: here.size, pending: true })
  updateBinding(ws.local, native.client, launched, (one) =>
    one === undefined ? undefined : { ...one, stretches: [], became: native.nativeId },
  )
  return true
}

/** The id under which a launch went on; its own where the client kept it. The note that told is removed. */
export function idAfterLaunch(ws: Workspace, client: string, launched: string): string {
  const became = readBinding(ws.local, client, launched)?.became
  if (became === undefined) return launched
  updateBinding(ws.local, client, launched, () => undefined)
  return became
}
