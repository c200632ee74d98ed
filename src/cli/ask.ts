import { setTimeout as sleep } from 'node:timers/promises'
import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import type { Listed } from '../journeys/finding/list.ts'
import { namesOf } from '../session/names.ts'
import { oneLine, printable } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { conversationTable } from './conversation-lines.ts'
import { lineWidth, say } from './print.ts'

/** Lets a person pick a conversation. Without a terminal it lists them and fails (S1-004f, E-27). */
export async function choose(
  environment: Environment,
  candidates: Listed[],
  fix: string,
  find: Find<Listed>,
): Promise<Listed> {
  if (!environment.interactive) {
    say(...conversationTable(candidates, environment.now(), lineWidth()))
    throw new CortextError('ambiguous', `${candidates.length} conversations to choose from`, { fix })
  }
  const names = namesOf(candidates)
  return select(
    'Which conversation would you like to continue?',
    candidates.map((one) => ({
      name: `[${one.type}] ${oneLine(one.title)}  (${relativeTime(one.lastActive, environment.now())}, ${names.get(one)})`,
      value: one,
    })),
    find,
  )
}

/** Finds, by what was typed, some of the values that a person may pick, best first. */
export type Find<T> = (typed: string) => Promise<readonly T[]>

/**
 * Lets a person pick one of several, with the arrows or by typing part of its name. What is part of no name is looked for
 * with `find`, once they have stopped typing.
 */
export async function select<T>(
  message: string,
  all: { name: string; value: T }[],
  find?: Find<T>,
): Promise<T> {
  const choices = all.map(({ name, value }) => ({ name: shown(name), value }))
  // Loaded only to ask, because the module holds on to standard input.
  const { search } = await import('./prompts.ts')
  return cancellable(() =>
    search<T>({
      message,
      source: async (term = '', { signal }) => {
        const words = term.toLowerCase().split(/\s+/)
        const named = choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
        if (named.length > 0 || find === undefined) return named
        await sleep(TYPING_MS)
        const found = signal.aborted ? [] : await find(term)
        return found.flatMap((one) => choices.filter(({ value }) => value === one))
      },
    }),
  )
}

const TYPING_MS = 200

export async function confirm(message: string): Promise<boolean> {
  const prompts = await import('./prompts.ts')
  return cancellable(() => prompts.confirm({ message: shown(message), default: false }))
}

/** A question is one line on a terminal, and some of its words come from records. */
function shown(text: string): string {
  return printable(text).replaceAll('\n', ' ')
}

/** Ctrl-C at a question is a cancellation, not a bug. */
async function cancellable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && error.name === 'ExitPromptError')
      throw new CortextError('cancelled', 'cancelled', { cause: error })
    throw error
  }
}
