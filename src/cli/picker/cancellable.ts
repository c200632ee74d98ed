import { CortextError } from '../../errors.ts'

/** Asks a person. Throws `cancelled` on Ctrl-C, for which inquirer and readline throw errors of their own. */
export async function cancellable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortError'))
      throw new CortextError('cancelled', 'cancelled', { cause: error })
    throw error
  }
}
