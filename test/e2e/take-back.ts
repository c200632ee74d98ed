import type { Terminal } from './terminal.ts'

/** What the menus of `/rewind` show while a person goes through them. */
interface RewindMenu {
  /** The entry that stands for now, on which the menu opens. */
  now: string
  /** What marks the entry that would be chosen. */
  mark: string
  /** The choice to take that turn back, and a word that only menus show. */
  choice: string
  word: string
}

export const CLAUDE_REWIND: RewindMenu = {
  now: '❯ (current)',
  mark: '❯',
  choice: '❯ 1. Restore',
  word: 'Restore',
}
export const GEMINI_REWIND: RewindMenu = {
  now: '● Stay at current position',
  mark: '●',
  choice: '● 1. Rewind conversation',
  word: 'Rewind',
}

/** Takes the last turn back, in the menu that `/rewind` has been typed for: what was typed in it, and the answer. */
export async function rewindTurn(
  terminal: Terminal,
  { now, mark, choice, word }: RewindMenu,
  typed: string,
  answer: string,
): Promise<void> {
  await terminal.waitFor(now)
  // What was typed may stand with such a mark above the menu too.
  await terminal.pressUntil('Up', (screen) => !screen.includes(now) && screen.includes(`${mark} ${typed}`))
  terminal.press('Enter')
  await terminal.waitFor(choice)
  terminal.press('Enter')
  await promptAgain(terminal, [answer, word])
}

/** The prompt that was taken back is there again, to be typed otherwise: emptied here, once these are not seen any more. */
export async function promptAgain(terminal: Terminal, gone: readonly string[]): Promise<void> {
  await terminal.waitFor((screen) => !gone.some((text) => screen.includes(text)))
  terminal.press('C-u')
}
