import { CortextError } from '../../errors.ts'

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
