import type { Environment } from '../../io/environment.ts'
import { labelsOf } from '../everywhere.ts'
import { isPlaced, type Kept, keptOffer } from './offered.ts'
import { isPlain } from './plain.ts'
import { paintOf, screenOf, sizeOf } from './screen.ts'

export const GO_ON = 'Go on with'

/**
 * Shows what is kept before the questions and the clients are loaded, as the picker will show it, save that clients have
 * no names yet. Returns what takes it away again.
 */
export function showFirstScreen(environment: Environment, kept: readonly Kept[]): () => void {
  if (kept.length === 0 || isPlain(environment)) return () => undefined
  const labels = labelsOf(kept.filter(isPlaced))
  const size = sizeOf()
  const paint = paintOf(environment.env)
  // More does not fit on any screen.
  const offers = kept
    .slice(0, size.rows)
    .map((one) =>
      keptOffer(
        one,
        environment.now(),
        (id) => id,
        one.root === undefined ? undefined : labels.get(one.root),
      ),
    )
  const lines = screenOf(
    {
      ...{ offers, active: 0, preview: undefined, note: '', inClient: undefined, isHelp: false },
      ...{ all: kept.length, keys: ['client', 'new', 'archive'] },
    },
    { ...size, paint },
  )
  process.stdout.write(`${paint.bold(GO_ON)}\n${lines.join('\n')}`)
  // Line by line: some terminals keep in their history what is cleared at once.
  return () => process.stdout.write(`${'\u001b[2K\u001b[1A'.repeat(lines.length)}\u001b[2K\r`)
}
