import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the compiled code of one run of the tests lies; vitest's global setup makes it and takes it away. */
const FOLDER = 'COMPILE_CACHE'
const PRELOAD = fileURLToPath(new URL('compile-cache.cjs', import.meta.url))

/** The environment of a program whose compiled code, and that of what it starts, is kept for the next start. */
export function withCompileCache(env: Record<string, string>): Record<string, string> {
  const folder = process.env[FOLDER]
  // A benchmark runs outside vitest.
  if (folder === undefined) return env
  const options = `--require ${JSON.stringify(PRELOAD)} ${env.NODE_OPTIONS ?? ''}`.trimEnd()
  return { ...env, NODE_OPTIONS: options, [FOLDER]: folder }
}

/** Vitest's global setup makes the starts of node cheap, of which the tests need thousands. Workers inherit it. */
export default function nodeStarts(): () => void {
  // Node parses these certificates at every start. The tests talk to nobody.
  delete process.env.NODE_EXTRA_CA_CERTS
  const folder = mkdtempSync(join(tmpdir(), 'cortext-compiled-'))
  // Some tests run the program as another user, who may read it.
  chmodSync(folder, 0o711)
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
