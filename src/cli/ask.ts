import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import type { Listed } from '../journeys/finding/list.ts'
import { namesOf } from '../session/names.ts'
import { oneLine, printable } from '../text/line.ts'
import { relativeTime } from '../text/relative-time.ts'
import { conversationTable } from './conversation-lines.ts'
import { say } from './print.ts'

/** Lets a person pick a conversation. Without a terminal it lists them and fails (S1-004f, E-27). */
export async function choose(environment: Environment, candidates: Listed[], fix: string): Promise<Listed> {
  if (!environment.interactive) {
    say(...conversationTable(candidates, environment.now()))
    throw new CortextError('ambiguous', `${candidates.length} conversations to choose from`, { fix })
  }
  const names = namesOf(candidates)
  return select(
    'Which conversation would you like to continue?',
    candidates.map((one) => ({
      name: `[${one.type}] ${oneLine(one.title)}  (${relativeTime(one.lastActive, environment.now())}, ${names.get(one)})`,
      value: one,
    })),
  )
}

/** Lets a person pick one of several, with the arrows or by typing part of its name. */
export async function select<T>(message: string, all: { name: string; value: T }[]): Promise<T> {
  const choices = all.map(({ name, value }) => ({ name: shown(name), value }))
  // Loaded only to ask, because the module holds on to standard input.
  const { search } = await import('./prompts.ts')
  return cancellable(() =>
    search<T>({
      message,
      source: (term) => {
        const words = (term ?? '').toLowerCase().split(/\s+/)
        return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      },
    }),
  )
}

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
