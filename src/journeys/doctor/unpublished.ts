import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { clientOf } from '../../clients/index.ts'
import { localFiles } from '../../store/layout.ts'
import type { Binding, Stretch } from '../../store/machine/binding.ts'
import { sizeOf } from '../../store/machine/copy-bytes.ts'
import { hasEnded } from '../../store/machine/process.ts'
import type { Workspace } from '../../workspace/open.ts'

/** A session that ends is published by a process that it leaves behind; so long it may take. */
const AT_WORK_MS = 60_000

export interface Unpublished {
  conversation: string
  client: string
  /**
   * `idle`: the session is open and quiet, as auto-pause sees it. `ended`: the session has ended. `missed`: turns went by
   * in it without a hook. `killed`: its client is gone without a word.
   */
  why: 'idle' | 'ended' | 'missed' | 'killed'
}

/** Conversations whose turns should be in their record and are not. One that people are talking in is none of them. */
export function unpublished(ws: Workspace, bindings: readonly Binding[]): Unpublished[] {
  const found = new Map<string, Unpublished>()
  for (const binding of bindings)
    for (const stretch of binding.stretches) {
      const { conversation } = stretch
      const why = whyNot(ws, binding, stretch)
      const known = found.get(conversation)?.why
      if (why !== undefined && (known === undefined || known === 'idle'))
        found.set(conversation, { conversation, client: binding.client, why })
    }
  return [...found.values()]
}

function whyNot(ws: Workspace, binding: Binding, stretch: Stretch): Unpublished['why'] | undefined {
  const now = ws.place.now().getTime()
  const published = stretch.published_to ?? stretch.from
  const journal = join(localFiles(ws.local).journal, binding.client, stretch.journal)
  const copied = sizeOf(journal) ?? 0
  if (stretch.to !== undefined) {
    const justEnded = now - Date.parse(stretch.ended_at ?? '') < AT_WORK_MS
    return Math.min(stretch.to, copied) > published && !justEnded ? 'ended' : undefined
  }
  if (stretch.process !== undefined && hasEnded(stretch.process)) return 'killed'
  if (promptsBeyond(binding, stretch, copied) > 1) return 'missed'
  if (stretch.pending === true || Math.max(copied, sizeOf(binding.transcript) ?? 0) <= published)
    return undefined
  const { minutes } = ws.config.autoPause
  const last = modified(binding.transcript) ?? modified(journal) ?? now
  return minutes > 0 && now - last >= minutes * 60_000 ? 'idle' : undefined
}

function modified(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs
}

/**
 * Prompts of finished turns that the client has written down and no hook has copied. One is usual: a client may write
 * down its last turn after its last hook.
 */
function promptsBeyond(binding: Binding, stretch: Stretch, copied: number): number {
  if ((sizeOf(binding.transcript) ?? 0) <= copied) return 0
  const bytes = readFileSync(binding.transcript)
  const from = Math.min(Math.max(copied, stretch.from), bytes.length)
  const unread = { nativeId: binding.native_id, bytes, from, sides: [], side: () => undefined }
  const { messages, facts } = clientOf(binding.client).read(unread)
  return facts.settled ? messages.filter(({ role }) => role === 'user').length : 0
}
