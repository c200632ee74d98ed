import type { Environment } from '../../io/environment.ts'
import type { ClientFinding } from '../contract/health.ts'
export function health(_environment: Environment, _folder: string): ClientFinding[] {
  return []
}
