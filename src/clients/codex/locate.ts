import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { codexHome } from './home.ts'

export function transcriptPath(environment: Environment, _folder: string, nativeId: string): string {
  const store = join(codexHome(environment), 'sessions')
  const names = existsSync(store) ? readdirSync(store, { recursive: true, encoding: 'utf8' }) : []
  const name = names
    .filter((path) => path.includes(nativeId))
    .sort()
    .at(-1)
  return join(store, name ?? `rollout-${nativeId}.jsonl`)
}
