import { CortextError } from '../../errors.ts'
import { SCRIPTS } from '../../extras/completion/index.ts'
import type { Environment } from '../../io/environment.ts'
import { oneLine } from '../../text/line.ts'

/** Prints the completion script of a shell. Throws `usage` for an unknown shell, with a better message than the parser's. */
export function completionVerb(_: Environment, shell: string): void {
  const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
  if (script === undefined)
    throw new CortextError(
      'usage',
      `there is no completion for ${oneLine(shell)}, only for bash, zsh and fish`,
      { fix: 'cortext completion bash' },
    )
  process.stdout.write(script)
}
