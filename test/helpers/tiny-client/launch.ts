import { join } from 'node:path'
import type { Handoff, LaunchSpec } from '../../../src/clients/contract/launch.ts'
import type { PackCommand } from '../../../src/clients/contract/pack.ts'

/** Ids of messages that cortext wrote for a handoff begin with this. */
export const SEED = 'cortext-'

export function native({ nativeId, cwd }: { nativeId: string; cwd: string }): LaunchSpec {
  return { command: 'tiny', args: ['--session', nativeId], env: {}, cwd, files: [] }
}

export function handoff(intent: Handoff): LaunchSpec {
  const { nativeId, body, context, recap, folder } = intent
  const path = join(folder, `tiny-${nativeId}.jsonl`)
  const said = [
    ...[body, context].filter(Boolean).map((content) => ({ role: 'user', content })),
    { role: 'assistant', content: recap },
  ].map((one, n) => JSON.stringify({ id: `${SEED}${n}`, ...one, time: '2000-01-01T00:00:00.000Z' }))
  return {
    ...native(intent),
    args: ['--session', nativeId, '--begin-with', path],
    files: [
      // Tiny Chat reads this file at every start.
      { path, content: `${said.join('\n')}\n`, keep: true },
      { path: join(folder, `tiny-${nativeId}.json`), content: JSON.stringify({ once: true }) },
    ],
  }
}

export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
