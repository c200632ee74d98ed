import type { Environment } from '../../io/environment.ts'
import { byNumber } from './by-number.ts'
import { cancellable } from './cancellable.ts'
import type { Offer } from './offer.ts'
import { isPlain } from './plain.ts'
import type { Picked, Picker } from './prompt.ts'

export type { Offer } from './offer.ts'
export type { Picked, Picker } from './prompt.ts'

/**
 * Lets a person pick an offer on a screen with a preview. If the terminal cannot move its cursor (`TERM=dumb`) or is
 * read aloud (`ACCESSIBLE`), the person types a number instead. Throws `cancelled` on Ctrl-C.
 */
export async function pick<T extends Offer>(environment: Environment, picker: Picker<T>): Promise<Picked<T>> {
  if (isPlain(environment)) return cancellable(() => byNumber(picker))
  // Imported only when the screen is shown, because the module keeps standard input open.
  const { askPicker } = await import('./prompt.ts')
  picker.first?.clear()
  return cancellable(async () => (await askPicker(picker, { clearPromptOnDone: true })) as Picked<T>)
}
