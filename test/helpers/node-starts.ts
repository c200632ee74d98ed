import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** This variable names the folder of compiled code. Vitest's global setup makes the folder and removes it. */
const FOLDER = 'COMPILE_CACHE'
const PRELOAD = fileURLToPath(new URL('compile-cache.cjs', import.meta.url))
const CLOCK = fileURLToPath(new URL('clock.cjs', import.meta.url))

/** An environment in which the program and the programs that it starts use the cache of compiled code. */
export function withCompileCache(env: Record<string, string>): Record<string, string> {
  const folder = process.env[FOLDER]
  // The variable is missing in benchmarks, which run outside vitest.
  if (folder === undefined) return env
  const options = `--require ${JSON.stringify(PRELOAD)} ${env.NODE_OPTIONS ?? ''}`.trimEnd()
  return { ...env, NODE_OPTIONS: options, [FOLDER]: folder }
}

/** An environment in which a program of node has the wrong clock that CLOCK_AHEAD says (clock.cjs), if it says one. */
export function withClock(env: Record<string, string>): Record<string, string> {
  if (env.CLOCK_AHEAD === undefined) return env
  return { ...env, NODE_OPTIONS: `--require ${JSON.stringify(CLOCK)} ${env.NODE_OPTIONS ?? ''}`.trimEnd() }
}

/** Vitest's global setup: makes starts of node cheap, because tests start it thousands of times. Workers inherit it. */
export default function nodeStarts(): () => void {
  // Node parses these certificates at every start, and the tests use no network.
  delete process.env.NODE_EXTRA_CA_CERTS
  const folder = mkdtempSync(join(tmpdir(), 'cortext-compiled-'))
  // Some tests run the program as another user.
  chmodSync(folder, 0o711)
  process.env[FOLDER] = folder
  return () => rmSync(folder, { recursive: true, force: true })
}
