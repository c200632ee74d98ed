import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Makes the headless sessions of Claude Code and Codex CLI in a home look as if a person had typed them in a terminal:
 * sessions that no person held are not offered.
 */
export function asTyped(home: string): void {
  for (const below of ['.claude/projects', '.codex/sessions'])
    for (const name of transcriptsIn(join(home, below))) {
      const text = readFileSync(name, 'utf8')
      const typed = text
        .replaceAll('"entrypoint":"sdk-cli"', '"entrypoint":"cli"')
        .replaceAll('"promptSource":"sdk"', '"promptSource":"typed"')
        .replaceAll('"source":"exec"', '"source":"cli"')
      const { atime, mtime } = statSync(name)
      writeFileSync(name, typed)
      utimesSync(name, atime, mtime)
    }
}

function transcriptsIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name))
  } catch {
    // This client has no session here.
    return []
  }
}
