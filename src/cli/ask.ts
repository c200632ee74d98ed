import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import { removeControls } from '../text/line.ts'
import { conversationTable } from './conversation-lines.ts'
import { cancellable } from './picker/index.ts'
import { type Chosen, pickKept } from './picker/kept.ts'
import type { Kept } from './picker/offered.ts'
import { lineWidth, say } from './print.ts'

/**
 * Lets a person pick a conversation, and if a client `startsNext`, also that client. Without a terminal, prints the
 * candidates and throws `ambiguous` with `fix`.
 */
export async function choose<T extends Kept>(
  environment: Environment,
  candidates: readonly T[],
  find: (typed: string) => Promise<readonly T[]>,
  {
    fix,
    table = tableOf,
    startsNext = true,
  }: { fix: string; table?(some: readonly T[], environment: Environment): string[]; startsNext?: boolean },
): Promise<Chosen<T>> {
  if (environment.interactive) return pickKept(environment, candidates, find, startsNext)
  say(table(candidates, environment))
  throw new CortextError('ambiguous', `${candidates.length} conversations to choose from`, { fix })
}

function tableOf(candidates: readonly Kept[], { now }: Environment): string[] {
  return conversationTable(candidates, now(), lineWidth())
}

/** Lets a person pick one of several values, with the arrows or by typing part of its name. */
export async function select<T>(message: string, all: { name: string; value: T }[]): Promise<T> {
  const choices = all.map(({ name, value }) => ({ name: printableLine(name), value }))
  // Imported only when a question is asked, because the module keeps standard input open.
  const { search } = await import('./prompts.ts')
  return cancellable(() =>
    search<T>({
      message,
      source: (term = '') => {
        const words = term.toLowerCase().split(/\s+/)
        return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)))
      },
    }),
  )
}

/** Asks for a text that the screen does not show. */
export async function askSecret(message: string): Promise<string> {
  const prompts = await import('./prompts.ts')
  return cancellable(() => prompts.password({ message, mask: true }))
}

export async function confirm(message: string): Promise<boolean> {
  const prompts = await import('./prompts.ts')
  return cancellable(() => prompts.confirm({ message: printableLine(message), default: false }))
}

/** Makes a text one printable line, because a question may contain words of a record. */
function printableLine(text: string): string {
  return removeControls(text).replaceAll('\n', ' ')
}
