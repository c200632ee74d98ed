import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { paste } from '../../text/paste.ts'
import type { ClientFinding } from '../contract/health.ts'
import { ownFolder } from './home.ts'
import { isTrusted } from './trust.ts'

/**
 * Reports a folder that Pi does not trust: it then ignores our commands and our extension there. It loads those in its own
 * folder everywhere (1.5.2).
 */
export function health(environment: Environment, folder: string): ClientFinding[] {
  const trusted = isTrusted(environment, folder)
  const [here, mine] = [join(folder, '.pi'), ownFolder(environment)].map((where) =>
    existsSync(join(where, 'extensions', 'cortext.js')),
  )
  if (trusted === true || (mine && !here)) return []
  return [
    {
      severity: 'problem',
      code: 'untrusted-folder',
      message: `${folder} is not a trusted folder of Pi: its commands do not work in it, and nothing is recorded by itself`,
      fix:
        trusted === undefined
          ? `${paste`cd ${folder} && pi`}, and there answer that you trust it`
          : `${paste`cd ${folder} && pi`}, and there: /trust`,
    },
  ]
}
