import { CortextError } from '../../errors.ts'
import { crypto } from '../../hash.ts'
import { isFileInside } from '../../io/inside.ts'
import { fromTop, headOf } from '../../workspace/git/blame.ts'
import { trackedFiles } from '../../workspace/git/index.ts'
import type { Workspace } from '../../workspace/open.ts'
import { attribute } from './attribute.ts'
import type { ConversationLog } from './log.ts'
import { rangesOf, type TracedFile, trace } from './trace.ts'

/** A record of Agent Trace 0.1 (agent-trace.dev, January 2026), with the fields that cortext fills. */
export interface AgentTrace {
  version: '0.1'
  id: string
  timestamp: string
  vcs?: { type: 'git'; revision: string }
  tool: { name: string }
  files: {
    path: string
    conversations: {
      contributor: { type: 'ai'; model_id?: string }
      ranges: { start_line: number; end_line: number }[]
    }[]
  }[]
  metadata: { cortext: { conversation: string; commits: string[] } }
}

/**
 * Lists the lines that a conversation has written, in the files of HEAD; outside git, in the files on disk. Leaves out
 * files without such lines. For the same conversation and commit, `id` is always the same.
 */
export async function agentTrace(ws: Workspace, log: ConversationLog): Promise<AgentTrace> {
  const { source, sources, made } = log
  const files: AgentTrace['files'] = []
  const revision = await headOf(ws)
  const tracked = new Set(await trackedFiles(ws))
  for (const { path, outside } of log.files) {
    const file = outside ? undefined : await traceIfFile(ws, path, { sources, tracked })
    if (file === undefined || (revision !== undefined && file.blamed === undefined)) continue
    const lines = await attribute(file, { committed: file.blamed !== undefined })
    const byModel = new Map<string | undefined, number[]>()
    for (const { by, number } of lines) {
      if (by?.place.source !== source) continue
      const { model } = by.place.message
      byModel.set(model, [...(byModel.get(model) ?? []), number])
    }
    if (byModel.size === 0) continue
    const conversations = [...byModel].map(([model, numbers]) => ({
      contributor: contributorOf(model),
      ranges: rangesOf(numbers).map(([from, to]) => ({ start_line: from, end_line: to })),
    }))
    files.push({ path: fromTop(ws.root, path) ?? path, conversations })
  }
  return {
    version: '0.1',
    id: idOf(`${source.session.origin ?? source.path} ${revision ?? ''}`),
    timestamp: ws.environment.now().toISOString(),
    ...(revision === undefined ? {} : { vcs: { type: 'git' as const, revision } }),
    tool: { name: 'cortext' },
    files,
    metadata: { cortext: { conversation: source.path, commits: made.flatMap(({ sha }) => sha ?? []) } },
  }
}

/**
 * Like `trace`, but returns undefined instead of a CortextError, because the path of a tool call can be anything, such
 * as a link.
 */
async function traceIfFile(
  ws: Workspace,
  path: string,
  { sources, tracked }: { sources: ConversationLog['sources']; tracked: ReadonlySet<string> },
): Promise<TracedFile | undefined> {
  try {
    // A record can name thousands of files that do not exist, and git is asked several times about each file.
    if (!tracked.has(path) && !isFileInside(ws.root, path)) return undefined
    return await trace(ws, path, sources)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}

/**
 * Names the model as models.dev does, with its maker in front (`anthropic/claude-…`). Leaves the model out if nobody
 * knows its maker.
 */
function contributorOf(model: string | undefined): { type: 'ai'; model_id?: string } {
  if (model === undefined || model.length > MAX_MODEL_NAME) return { type: 'ai' }
  const maker = MAKERS.find(([, names]) => names.test(model))?.[0]
  if (!model.includes('/') && maker === undefined) return { type: 'ai' }
  return { type: 'ai', model_id: model.includes('/') ? model : `${maker}/${model}` }
}

const MAX_MODEL_NAME = 200

const MAKERS: readonly (readonly [string, RegExp])[] = [
  ['anthropic', /^claude-/],
  ['google', /^gemini-/],
  ['openai', /^(?:gpt-|o[134](?:-|$))/],
]

/** A UUID (version 8) from the hash of a text. */
function idOf(text: string): string {
  const hex = crypto().createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
