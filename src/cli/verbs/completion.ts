import { CortextError } from '../../errors.ts'
import { SCRIPTS } from '../../extras/completion/index.ts'
import { oneLine } from '../../text/line.ts'

/** Prints the completion script of a shell. Throws `usage` for an unknown shell, with a better message than the parser's. */
export function completionVerb(shell: string): void {
  if (!isKnown(shell))
    throw new CortextError(
      'usage',
      `there is no completion for ${oneLine(shell)}, only for bash, zsh and fish`,
      { fix: 'cortext completion bash' },
    )
  process.stdout.write(SCRIPTS[shell])
}

function isKnown(shell: string): shell is keyof typeof SCRIPTS {
  return Object.hasOwn(SCRIPTS, shell)
}
