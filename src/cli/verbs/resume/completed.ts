import { CortextError } from '../../../errors.ts'
import type { Listed } from '../../../journeys/finding/list.ts'
import { oneLine } from '../../../text/line.ts'
import { paste } from '../../../text/paste.ts'

/**
 * Throws `refused` for a completed conversation if the person has not confirmed the resume with `force`.
 */
export function checkCompleted(one: Listed, force: boolean): void {
  if (one.status.status !== 'completed' || force) return
  throw new CortextError(
    'refused',
    `"${oneLine(one.title)}" was marked complete; confirm that you want to go on with it`,
    {
      fix: paste`cortext resume ${one.name} --force`,
    },
  )
}
