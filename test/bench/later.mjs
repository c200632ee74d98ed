// `npm run later -- <clone of entireio/cli> [--keep <folder>] [--json]`: of what a session uses again later, how much a
// context of its beginning keeps (later.ts). The clone needs its branch entire/checkpoints/v1. Every third session by
// sorted path is for acceptance, and nothing here reads it. `--keep <folder>` keeps the transcripts and uses those that
// are there.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runBundled } from './bundled.mjs'
import { openSessions } from './sessions.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'string' }, json: { type: 'boolean' } },
})
const [clone] = positionals
if (clone === undefined) {
  process.stderr.write('usage: npm run later -- <clone of entireio/cli> [--keep <folder>] [--json]\n')
  process.exitCode = 2
} else await run(values.keep ?? mkdtempSync(join(tmpdir(), 'cortext-later-')))

async function run(place) {
  try {
    const sessions = join(place, 'sessions')
    if (!existsSync(sessions)) openSessions(clone, sessions)
    await runBundled('later.ts', { args: [sessions, ...(values.json ? ['--json'] : [])] })
  } finally {
    if (values.keep === undefined) rmSync(place, { recursive: true, force: true })
  }
}
