import { AGENT_CALL } from '../../shared/setup/allowed-calls.ts'
import type { Config } from './api.ts'

/**
 * Allows our calls if OpenCode asks the person about shell commands. Returns whether it did. In OpenCode the last rule
 * that matches decides. Our rule comes directly after the person's `*`, so their rules after it still win. If the
 * person has a rule of their own for cortext, this changes nothing.
 */
export function allowCortext(config: Config): boolean {
  const permission = typeof config.permission === 'string' ? { '*': config.permission } : config.permission
  const given = permission?.bash
  const bash = typeof given === 'string' ? { '*': given } : (given ?? {})
  const names = Object.keys(permission ?? {})
  const overruled = names.includes('bash') && names.indexOf('*') > names.indexOf('bash')
  if (overruled || (bash['*'] ?? permission?.['*']) !== 'ask') return false
  const ours: Record<string, string> = { [`${AGENT_CALL} *`]: 'allow' }
  const rules = Object.entries(bash)
  if (rules.some(([pattern, action]) => pattern.startsWith('cortext') && ours[pattern] !== action))
    return false
  const general = rules.findIndex(([pattern]) => pattern === '*') + 1
  const all = [...rules.slice(0, general), ...Object.entries(ours), ...rules.slice(general)]
  config.permission = { ...permission, bash: Object.fromEntries(all) }
  return true
}

/** This prefix does nothing in a shell, but no rule of ours allows it as a command, so OpenCode asks. */
const ASK_PREFIX = ": 'more than a plain call of cortext'; "

/**
 * Puts ASK_PREFIX before a line that contains our call and is more than that call. For use where `allowCortext` has
 * allowed our calls.
 */
export function guardCommand(command: string): string {
  return hidesMore(command) ? `${ASK_PREFIX}${command}` : command
}

const WORD = /(?:[\p{L}\p{N}_@%+=:,./-]|'[^']*'|"[^"$`\\]*")+/u.source
const CALL = new RegExp(`^cortext(?: +${WORD})*$`, 'u')

/**
 * Whether a line that a rule of ours may match is more than one call of cortext. OpenCode asks about each command in a
 * line separately. It does not see the redirection in `cortext agent list > file` or `(cortext agent list) > file`
 * (1.18.33).
 */
function hidesMore(command: string): boolean {
  return command.includes(AGENT_CALL) && !CALL.test(command.trim())
}
