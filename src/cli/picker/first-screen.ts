import type { Environment } from '../../io/environment.ts'
import { labelsOf } from '../everywhere.ts'
import { isPlaced, type Kept, keptOffer } from './offered.ts'
import { isPlain } from './plain.ts'
import { type Extra, paintOf, screenOf, sizeOf } from './screen.ts'

export const GO_ON = 'Go on with'

export interface FirstScreen {
  /** Takes it away. */
  clear(): void
  /** The keys that were pressed since it was shown; from then on somebody else hears them. */
  keys(): Buffer
}

const NONE: FirstScreen = { clear: () => undefined, keys: () => Buffer.alloc(0) }

/**
 * Shows what is kept before the questions and the clients are loaded, as the picker will show it, save that clients and
 * people have no names yet. Whoever types at once loses nothing.
 */
export function showFirstScreen(
  environment: Environment,
  kept: readonly Kept[],
  extras: readonly Extra[],
): FirstScreen {
  if (kept.length === 0 || isPlain(environment)) return NONE
  const lines = screenLines(environment, kept, extras)
  const { stdin, stdout } = process
  stdout.write(`${paintOf(environment.env).bold(GO_ON)}\n${lines.join('\n')}`)
  const pressed: Buffer[] = []
  const hear = (key: Buffer) => {
    pressed.push(key)
    if (!key.includes(CTRL_C)) return
    stdin.setRawMode(false)
    process.kill(process.pid, 'SIGINT')
  }
  stdin.setRawMode(true).on('data', hear)
  return {
    // Line by line: some terminals keep in their history what is cleared at once.
    clear: () => stdout.write(`${'\u001b[2K\u001b[1A'.repeat(lines.length)}\u001b[2K\r`),
    keys() {
      stdin.off('data', hear)
      return Buffer.concat(pressed)
    },
  }
}

const CTRL_C = 3

function screenLines(environment: Environment, kept: readonly Kept[], extras: readonly Extra[]): string[] {
  const labels = labelsOf(kept.filter(isPlaced))
  const size = sizeOf()
  // More does not fit on any screen.
  const offers = kept.slice(0, size.rows).map((one) =>
    keptOffer(one, environment.now(), (id) => id, {
      where: one.root === undefined ? undefined : labels.get(one.root),
    }),
  )
  return screenOf(
    {
      ...{ offers, active: 0, preview: undefined, note: '', inClient: undefined, isHelp: false },
      ...{ all: kept.length, keys: extras },
    },
    { ...size, paint: paintOf(environment.env) },
  )
}
