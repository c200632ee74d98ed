import type { Launching } from '../../../src/clients/contract/launch.ts'
import type { PackCommand } from '../../../src/clients/contract/pack.ts'

/** Ids of messages that cortext wrote for a handoff begin with this. */
export const SEED = 'cortext-'

export const launch: Launching = {
  seed({ body, context, recap }) {
    const said = [
      ...[body, context].filter(Boolean).map((content) => ({ role: 'user', content })),
      { role: 'assistant', content: recap },
    ].map((one, n) => JSON.stringify({ id: `${SEED}${n}`, ...one, time: '2000-01-01T00:00:00.000Z' }))
    return `${said.join('\n')}\n`
  },
  withSeed: (nativeId, path) => ({ args: ['--session', nativeId, '--begin-with', path] }),
  native: (nativeId) => ({ args: ['--session', nativeId] }),
}

export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\n${args}`
}
