import { CortextError } from '../../errors.ts'

/** Asks a person. Ctrl-C at a question, of inquirer or of readline, is a cancellation and not a bug. Throws `cancelled`. */
export async function cancellable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && (error.name === 'ExitPromptError' || error.name === 'AbortError'))
      throw new CortextError('cancelled', 'cancelled', { cause: error })
    throw error
  }
}
