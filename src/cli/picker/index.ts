import { CortextError } from '../../errors.ts'
import type { Environment } from '../../io/environment.ts'
import { byNumber } from './by-number.ts'
import type { Offer } from './offer.ts'
import type { Picked, Picker } from './prompt.ts'
import { isPlain } from './screen.ts'

/**
 * Lets a person pick an offer on a screen with a preview. If the terminal cannot move its cursor (`TERM=dumb`) or is
 * read aloud (`ACCESSIBLE`), the person types a number instead. Throws `cancelled` on Ctrl-C.
 */
export async function pick<T extends Offer>({ env }: Environment, picker: Picker<T>): Promise<Picked<T>> {
  if (isPlain(env)) return cancellable(() => byNumber(picker))
  // Imported only when the screen is shown, because the module keeps standard input open.
  const { askPicker } = await import('./prompt.ts')
  picker.first?.clear()
  return cancellable(async () => (await askPicker(picker, { clearPromptOnDone: true })) as Picked<T>)
}

/** Asks a person. On Ctrl-C, throws `cancelled` in place of the errors of inquirer and readline. */
export async function cancellable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortError'))
      throw new CortextError('cancelled', 'cancelled', { cause: error })
    throw error
  }
}
