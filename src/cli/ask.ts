import { CortextError } from '../errors.ts'
import type { Environment } from '../io/environment.ts'
import type { Listed } from '../journeys/finding/list.ts'
import { removeControls } from '../text/line.ts'
import { paste } from '../text/paste.ts'
import { conversationTable } from './conversation-lines.ts'
import { cancellable } from './picker/cancellable.ts'
import { type Chosen, type PickOptions, pickKept } from './picker/kept.ts'
import { lineWidth, say } from './print.ts'

/**
 * Lets a person pick a conversation. Without a terminal, prints the candidates and throws `ambiguous`; the fix is the
 * verb with the name of the first candidate.
 */
export async function choose(
  environment: Environment,
  candidates: readonly Listed[],
  verb: string,
  find: (typed: string) => Promise<readonly Listed[]>,
  options: PickOptions = {},
): Promise<Chosen<Listed>> {
  if (environment.interactive) return pickKept(environment, candidates, find, options)
  say(conversationTable(candidates, environment.now(), lineWidth()))
  throw new CortextError('ambiguous', `${candidates.length} conversations to choose from`, {
    fix: paste`cortext ${verb} ${candidates[0]!.name}`,
  })
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

export async function confirm(message: string): Promise<boolean> {
  const prompts = await import('./prompts.ts')
  return cancellable(() => prompts.confirm({ message: printableLine(message), default: false }))
}

/** Makes a text one printable line, because a question may contain words of a record. */
function printableLine(text: string): string {
  return removeControls(text).replaceAll('\n', ' ')
}
