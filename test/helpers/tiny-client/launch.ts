import { join } from 'node:path'
import type { LaunchIntent, LaunchSpec, PackCommand } from '../../../src/clients/client.ts'

/** A handoff begins with a file of messages, which are ours by their ids. */
export const SEED = 'cortext-'

export function launch(intent: LaunchIntent): LaunchSpec {
  const { nativeId, cwd } = intent
  const base = { command: 'tiny', cwd, env: {} }
  if (intent.mode === 'native') return { ...base, args: ['--session', nativeId], files: [] }
  const { command, args, context, recap, folder } = intent
  const path = join(folder, `tiny-${nativeId}.jsonl`)
  const said = [
    { role: 'user', content: commandBody(command, args) },
    { role: 'user', content: context },
    { role: 'assistant', content: recap },
  ].map((one, n) => JSON.stringify({ id: `${SEED}${n}`, ...one, time: '2000-01-01T00:00:00.000Z' }))
  return {
    ...base,
    args: ['--session', nativeId, '--begin-with', path],
    files: [{ path, content: `${said.join('\n')}\n` }],
  }
}

export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
