import { CortextError } from '../../errors.ts'
import { SCRIPTS } from '../../extras/completion/scripts.ts'
import { oneLine } from '../../text/line.ts'

/** Prints the script that makes a shell complete the words of `cortext`. Throws `usage` for any other shell, in better words than the parser has. */
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
