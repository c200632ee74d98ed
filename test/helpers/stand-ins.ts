import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Shell scripts for programs with the name `cortext` that are not the program that ran `init`. */
export const WRONG_CORTEXTS: Record<string, string> = {
  'an old version that does not know the verb':
    "cat >/dev/null; echo \"error: unknown command 'hook'\" >&2; echo 'Usage: cortext [options]' >&2; exit 2",
  'one that crashes': 'echo "TypeError: x" >&2; exit 70',
  'one that a signal ends': 'printf {; kill -SEGV $$',
  'one that prints words': 'echo "Welcome to cortext!"; echo "a warning" >&2',
  'one that prints JSON of another kind': 'echo \'{"decision":"block","reason":"because","continue":false}\'',
  'one that prints no object': 'echo null',
  'one that does not read its input and says nothing': 'exec <&-; exit 1',
}

/** Writes an executable shell script into a folder and returns the folder, for a PATH. */
export function putProgram(folder: string, name: string, script: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}
