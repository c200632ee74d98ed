// Records the transcripts of the real clients again: `npm run record-fixtures [client…] [-- --write]`. Each pinned
// version (test/e2e/clients) goes through a fixed talk with a fake model. Without --write an existing fixture stays,
// and the differences are printed.
import { spawnSync } from 'node:child_process'

const write = process.argv.includes('--write')
const clients = process.argv.slice(2).filter((word) => word !== '--write')
const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'vitest.record.config.ts', ...clients], {
  env: { ...process.env, CORTEXT_RECORD_WRITE: write ? '1' : '' },
  stdio: 'inherit',
})
process.exitCode = status ?? 1
