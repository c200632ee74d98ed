import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClaudeLab, ClaudeRecord } from './claude.ts'

/** One call of a hook: what Claude Code gave it. */
interface HookCall {
  event: string
  // biome-ignore lint/suspicious/noExplicitAny: a foreign format that the tests look into, and compare with.
  payload: Record<string, any>
  /** `PID name` of the hook's own process, its parent, and so on. */
  ancestors: string[]
  env: Record<string, string>
  /** What the transcript held when the hook ran; undefined when there was none. */
  transcript: ClaudeRecord[] | undefined
  /** False for a hook that is still running or was killed. */
  finished: boolean
}

export interface HookWatch {
  /** In order of time. */
  calls(event?: string): HookCall[]
  /** From now on hooks of this event print it. */
  reply(event: string, stdout: string | object): void
  /** From now on hooks of this event run it, a shell script, before they end. */
  run(event: string, script: string): void
}

/** Sets up one hook for each event, in the project's local settings, with those `matchers` that an event has. */
export function watchHooks(
  lab: ClaudeLab,
  events: string[],
  { matchers = {}, ...options }: { timeout?: number; matchers?: Record<string, string> } = {},
): HookWatch {
  const folder = join(lab.folder, 'hooks')
  mkdirSync(folder)
  const script = join(import.meta.dirname, 'hook-watch.sh')
  const hooks = events.map((event) => [
    event,
    [
      {
        matcher: matchers[event],
        hooks: [{ type: 'command', command: `sh '${script}' '${folder}' ${event}`, ...options }],
      },
    ],
  ])
  lab.settings({ hooks: Object.fromEntries(hooks) })
  return {
    calls: (event) =>
      readdirSync(folder)
        .filter((name) => /^\d/.test(name) && (!event || name.endsWith(`-${event}`)))
        .sort()
        .map((name) => readCall(join(folder, name), name.replace(/^\d+-/, ''))),
    reply: (event, stdout) =>
      writeFileSync(
        join(folder, `${event}.reply`),
        typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
      ),
    run: (event, code) => writeFileSync(join(folder, `${event}.sh`), code),
  }
}

function readCall(folder: string, event: string): HookCall {
  const content = (name: string) => readFileSync(join(folder, name), 'utf8')
  const lines = (name: string) => content(name).split('\n').filter(Boolean)
  return {
    event,
    payload: JSON.parse(content('payload')),
    ancestors: lines('ancestors'),
    env: Object.fromEntries(lines('env').map((line) => line.split(/=(.*)/s).slice(0, 2))),
    transcript: existsSync(join(folder, 'transcript'))
      ? lines('transcript').map((line) => JSON.parse(line))
      : undefined,
    finished: existsSync(join(folder, 'finished')),
  }
}
