import { AGENT_CALL } from './allowed-calls.ts'

/** Whether a shell command is one plain call of ours, and nothing else in sh and in PowerShell. */
export function isOwnCall(command: string): boolean {
  return OWN_CALL.test(command)
}

const PLAIN = String.raw`[\p{L}\p{N}_./:+-][\p{L}\p{N}_./:+=%,-]*`
const QUOTED = `'[^'\\r\\n]*'|"[^"$\`\\\\!\\r\\n]*"`
const OWN_CALL = new RegExp(`^ *${AGENT_CALL}(?: +(?:${PLAIN}|${QUOTED}))* *$`, 'u')
