import { setTimeout as sleep } from 'node:timers/promises'
import type { Terminal } from './terminal.ts'

/**
 * Types a prompt and waits for its answer. A second Enter harms nobody, and now and then it is needed: what is typed fast
 * is taken for pasted, and Enter for a part of it; and a list of commands takes the first one for the choice of a name.
 *
 * @param after ms between the text and Enter.
 */
export async function say(
  terminal: Terminal,
  typed: string,
  answer: Parameters<Terminal['waitFor']>[0],
  after = 300,
): Promise<void> {
  await terminal.submit(typed, { after })
  if (/^[/$]workspace\S+$/.test(typed)) {
    await sleep(after)
    terminal.press('Enter')
  }
  await terminal.waitFor(answer, { timeout: 15_000 }).catch(() => {
    terminal.press('Enter')
    return terminal.waitFor(answer)
  })
}
