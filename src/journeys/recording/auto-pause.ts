import { statSync } from 'node:fs'
import { waitsForStop } from '../../conversation/held-back.ts'
import type { State } from '../../conversation/publishing/write.ts'
import { sizeOfTranscript } from '../../conversation/transcript-bytes.ts'
import { isOurs } from '../../conversation/worktrees.ts'
import { hasEnded } from '../../io/process.ts'
import { generationPath } from '../../store/layout.ts'
import { type Binding, closeSegment, type Segment, updateBinding } from '../../store/machine/binding.ts'
import { sizeOf } from '../../store/machine/journal/copy-bytes.ts'
import { listBindings, liveSegmentsIn } from '../../store/machine/list-bindings.ts'
import { writeLog } from '../../store/machine/log.ts'
import type { Workspace } from '../../workspace/open.ts'

/** Workspace-relative paths of the conversations that were saved as paused. */
export interface AutoPaused {
  /** Conversations without a new message for a while. The segment stays live, so the next message is recorded. */
  quiet: string[]
  /**
   * Conversations whose client ended without its last hook, or whose last messages were not saved. A kill or a crash
   * has this effect.
   */
  ended: string[]
}

/**
 * Saves and pauses a conversation in three cases:
 * - its session has gone quiet
 * - its client was killed
 * - its session has ended, and the process that should have published it was killed
 *
 * There is no daemon, so verbs call this before they list or read conversations. If there is no such
 * conversation, the call takes almost no time.
 */
export async function autoPause(ws: Workspace): Promise<AutoPaused> {
  const settled: AutoPaused = { quiet: [], ended: [] }
  const bindings = listBindings(ws.local)
  const steps = stepsOf(ws)
  for (const { binding, segment } of liveSegmentsIn(bindings)) {
    if (!isOurs(ws, binding)) continue
    const ended = segment.process !== undefined && hasEnded(segment.process)
    try {
      if (ended) await endKilled(ws, steps, binding, segment)
      else if (!(await saveQuiet(ws, steps, binding, segment))) continue
      const list = ended ? settled.ended : settled.quiet
      if (!list.includes(segment.conversation)) list.push(segment.conversation)
    } catch (error) {
      logFailure(ws, segment, error)
    }
  }
  for (const path of await saveLeft(ws, steps, bindings))
    if (!settled.ended.includes(path)) settled.ended.push(path)
  return settled
}

/**
 * Saves conversations that have ended segments with unpublished messages. Returns their paths, without those that the
 * process of a hook may be saving at the same time.
 */
async function saveLeft(ws: Workspace, steps: Steps, bindings: readonly Binding[]): Promise<string[]> {
  const left = bindings.flatMap((binding) =>
    isOurs(ws, binding) ? binding.segments.filter((segment) => isLeft(ws, binding, segment)) : [],
  )
  const saved: string[] = []
  for (const [path, segment] of new Map(left.map((segment) => [segment.conversation, segment]))) {
    try {
      await (await steps()).pause(path)
      if (!isAtWork(ws, segment)) saved.push(path)
    } catch (error) {
      logFailure(ws, segment, error)
    }
  }
  return saved
}

/** Logs a failure. The verb goes on, because the unpublished messages are still in the journal. */
function logFailure(ws: Workspace, { conversation }: Segment, error: unknown): void {
  writeLog(ws.local, `auto-pause of ${conversation}: ${error instanceof Error ? error.message : error}`)
}

/** Whether a segment has ended, and its journal has bytes that are not published and wait for no stop. */
export function isLeft(ws: Workspace, { client }: Binding, segment: Segment): boolean {
  const { conversation, journal, from, to, published_to: published = from, ended_at } = segment
  if (to === undefined || to <= published) return false
  const copied = sizeOf(generationPath(ws.local, client, journal)) ?? 0
  return copied > published && !waitsForStop(ws, conversation, Date.parse(ended_at ?? ''))
}

/** Whether the process that the session's last hook started may still be publishing the segment. */
export function isAtWork(ws: Workspace, { ended_at }: Segment): boolean {
  return ws.environment.now().getTime() - Date.parse(ended_at ?? '') < AT_WORK_MS
}

const AT_WORK_MS = 60_000

/**
 * Ends the segment of a killed client and saves its conversation. First brings the transcript up to date, because the
 * client's own store may have more than the hooks have copied.
 */
async function endKilled(
  ws: Workspace,
  steps: Steps,
  binding: Binding,
  { conversation }: Segment,
): Promise<void> {
  const { catchUp, pause, refreshKilled } = await steps()
  refreshKilled(ws, binding)
  const end = { to: catchUp(ws, binding).size, by: 'session-end', at: ws.environment.now() } as const
  updateBinding(ws.local, binding.client, binding.native_id, (stored) => stored && closeSegment(stored, end))
  await pause(conversation)
}

/** Saves a conversation if its session has gone quiet and has something to save. Returns whether it saved. */
async function saveQuiet(ws: Workspace, steps: Steps, binding: Binding, segment: Segment): Promise<boolean> {
  if (!isQuiet(ws, binding, segment, sizeOfTranscript(binding) ?? 0)) return false
  const { catchUp, pause } = await steps()
  if (catchUp(ws, binding).size <= (segment.published_to ?? segment.from)) return false
  await pause(segment.conversation)
  return true
}

/** Whether a live segment has bytes that are not published, up to `size`, and its session has gone quiet. */
export function isQuiet(ws: Workspace, binding: Binding, segment: Segment, size: number): boolean {
  const { minutes } = ws.config.autoPause
  if (minutes === 0 || segment.pending === true) return false
  if (size <= (segment.published_to ?? segment.from)) return false
  const journal = generationPath(ws.local, binding.client, segment.journal)
  const lastActive = modified(binding.transcript) ?? modified(journal)
  if (lastActive === undefined || ws.environment.now().getTime() - lastActive < minutes * 60_000) return false
  return !waitsForStop(ws, segment.conversation, lastActive)
}

/**
 * Returns a function that imports the functions for saving. It imports them when they are needed, because lists have to
 * be quick and usually nothing has to be saved. Git is asked only once for all conversations.
 */
function stepsOf(ws: Workspace) {
  let state: Promise<State> | undefined
  return async () => {
    const [catching, { pause }, { stateOf }] = await Promise.all([
      import('../../conversation/catch-up.ts'),
      import('../../conversation/pause.ts'),
      import('../../conversation/publish.ts'),
    ])
    state ??= stateOf(ws)
    const gitState = await state
    return { ...catching, pause: (path: string) => pause(ws, path, gitState) }
  }
}

type Steps = ReturnType<typeof stepsOf>

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}
