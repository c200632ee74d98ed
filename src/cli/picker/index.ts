import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { byNumber } from './by-number.ts'
import type { Offer } from './offer.ts'
import { isPlain } from './plain.ts'
import type { Picked, Picker } from './prompt.ts'

export type { Offer } from './offer.ts'
export type { Picked, Picker } from './prompt.ts'

/**
 * Lets a person pick one of several: on one screen, with a preview. Where the terminal cannot move its cursor
 * (`TERM=dumb`), or the person hears it read (`ACCESSIBLE`), by numbers. Throws `cancelled` on Ctrl-C.
 */
export async function pick<T extends Offer>(environment: Environment, picker: Picker<T>): Promise<Picked<T>> {
  if (isPlain(environment)) return byNumber(picker)
  // Loaded only to ask, because the module holds on to standard input.
  const { askPicker } = await import('./prompt.ts')
  picker.first?.clear()
  try {
    return (await askPicker(picker, { clearPromptOnDone: true })) as Picked<T>
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new CortextError('cancelled', 'cancelled', { cause: error })
    throw error
  }
}
