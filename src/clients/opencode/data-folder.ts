import { join } from 'node:path'

interface Outside {
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The folder that contains OpenCode's own data, in its sub-folder `opencode/`. */
export function dataFolder({ env, home }: Outside): string {
  return env.XDG_DATA_HOME || join(home, '.local', 'share')
}

/**
 * The path of our transcript of a session. OpenCode keeps no transcripts, so our plugin writes one for each session,
 * next to OpenCode's own data.
 */
export function ownTranscript(outside: Outside, session: string): string {
  return join(dataFolder(outside), 'cortext', 'opencode', `${session}.jsonl`)
}
