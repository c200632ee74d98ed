import { SCRIPTS } from './scripts.ts'

/** Prints the script that makes a shell complete the words of `cortext`. */
export function completionVerb(shell: keyof typeof SCRIPTS): void {
  process.stdout.write(SCRIPTS[shell])
}
