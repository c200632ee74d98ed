import { execFileSync, spawnSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { tempFolder } from '../helpers/repository.ts'

const RUN = join(import.meta.dirname, '../../.ci/run')

test('.ci/run names the programs that are missing where there is no apt, and stops', () => {
  const bin = tempFolder()
  for (const name of ['bash', 'dirname', 'git', 'jq'])
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(),
      join(bin, name),
    )
  const run = spawnSync(join(bin, 'bash'), [RUN], { env: { PATH: bin }, encoding: 'utf8' })
  expect(run.status).toBe(1)
  expect(run.stdout).toContain('Install what is missing, by its Debian name: tmux iproute2 zsh')
  expect(run.stdout).toMatch(/\n0 passed, 1 failed\n$/)
})
