import { join } from 'node:path'

interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Where OpenCode keeps its own data. */
export function dataFolder({ env, home }: Outside): string {
  return env.XDG_DATA_HOME || join(home, '.local', 'share')
}

/** OpenCode keeps no transcripts, so our plugin writes one for each session, beside OpenCode's own data. */
export function ownTranscript(outside: Outside, session: string): string {
  return join(dataFolder(outside), 'cortext', 'opencode', `${session}.jsonl`)
}
