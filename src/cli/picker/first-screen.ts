import type { Environment } from '../../io/environment.ts'
import { type Kept, keptOffers } from './offered.ts'
import { type Extra, isPlain, paintOf, screenOf, sizeOf } from './screen.ts'

export const PICKER_MESSAGE = 'Go on with'

export interface FirstScreen {
  /** Removes the screen. */
  clear(): void
  /** Stops listening, and returns the keys that were pressed since the screen was shown. */
  keys(): Buffer
}

const NONE: FirstScreen = { clear: () => undefined, keys: () => Buffer.alloc(0) }

/**
 * Shows the kept conversations before the code of the picker and the clients is loaded. This screen looks like the
 * picker's, but shows the ids of clients instead of their names, and no authors. The picker later gets the keys that
 * were pressed while this screen was shown.
 */
export function showFirstScreen(
  environment: Environment,
  kept: readonly Kept[],
  extras: readonly Extra[],
): FirstScreen {
  if (kept.length === 0 || isPlain(environment.env)) return NONE
  const lines = screenLines(environment, kept, extras)
  const { stdin, stdout } = process
  stdout.write(`${paintOf(environment.env).bold(PICKER_MESSAGE)}\n${lines.join('\n')}`)
  const pressed: Buffer[] = []
  const onKey = (key: Buffer) => {
    pressed.push(key)
    if (!key.includes(CTRL_C)) return
    stdin.setRawMode(false)
    process.kill(process.pid, 'SIGINT')
  }
  stdin.setRawMode(true).on('data', onKey)
  return {
    // Clears line by line. If all lines are cleared at once, some terminals move them into their scrollback.
    clear: () => stdout.write(`${'\u001b[2K\u001b[1A'.repeat(lines.length)}\u001b[2K\r`),
    keys() {
      stdin.off('data', onKey)
      return Buffer.concat(pressed)
    },
  }
}

const CTRL_C = 3

function screenLines({ env, now }: Environment, kept: readonly Kept[], extras: readonly Extra[]): string[] {
  const size = sizeOf()
  // No more offers fit on the screen.
  const offers = kept.slice(0, size.rows).map(keptOffers(kept, now(), (id) => id))
  const nothing = { active: 0, preview: undefined, note: '', inClient: undefined, isHelp: false }
  return screenOf({ ...nothing, offers, all: kept.length, extras }, { ...size, paint: paintOf(env) })
}
