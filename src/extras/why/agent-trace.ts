import { crypto } from '../../crypto.ts'
import { CortextError } from '../../errors.ts'
import { fromTop, headOf } from '../../workspace/git/blame.ts'
import type { Workspace } from '../../workspace/open.ts'
import { attribute } from './attribute.ts'
import type { Logged } from './log.ts'
import { trace } from './trace.ts'
import { rangesOf } from './why.ts'

/** A record of Agent Trace 0.1 (agent-trace.dev, January 2026); only the fields that we fill. */
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
 * The lines that a conversation wrote, in files as HEAD has them; as they are on disk outside git. A file of which no
 * line is known to be its own is left out. The same conversation and commit give the same id.
 */
export async function agentTrace(ws: Workspace, logged: Logged): Promise<AgentTrace> {
  const { source, sources, files, made } = logged
  const told: AgentTrace['files'] = []
  const revision = await headOf(ws.root, ws.environment.env)
  for (const { path, outside } of files) {
    if (outside) continue
    const file = await traced(ws, path, sources)
    if (file === undefined) continue
    const lines = await attribute(file, { committed: file.blamed !== undefined })
    const own = lines.filter(({ by }) => by?.place.source === source)
    if (own.length === 0 || (revision !== undefined && file.blamed === undefined)) continue
    const models = new Map<string | undefined, number[]>()
    for (const { by, number } of own)
      models.set(by!.place.message.model, [...(models.get(by!.place.message.model) ?? []), number])
    const conversations = [...models].map(([model, numbers]) => ({
      contributor: contributorOf(model),
      ranges: rangesOf(numbers).map(([from, to]) => ({ start_line: from, end_line: to })),
    }))
    told.push({ path: fromTop(ws.root, path) ?? path, conversations })
  }
  return {
    version: '0.1',
    id: idOf(`${source.session.origin ?? source.path} ${revision ?? ''}`),
    timestamp: ws.environment.now().toISOString(),
    ...(revision === undefined ? {} : { vcs: { type: 'git' as const, revision } }),
    tool: { name: 'cortext' },
    files: told,
    metadata: {
      cortext: { conversation: source.path, commits: made.flatMap(({ sha }) => sha ?? []) },
    },
  }
}

/** Undefined where a link or something else that is no file lies in its place: a record may name anything. */
async function traced(ws: Workspace, path: string, sources: Logged['sources']) {
  try {
    return await trace(ws, path, sources)
  } catch (error) {
    if (!(error instanceof CortextError)) throw error
    return undefined
  }
}

/** The names of models are those of models.dev, with their maker before them; one of an unknown maker is left out. */
function contributorOf(model: string | undefined): { type: 'ai'; model_id?: string } {
  if (model === undefined || model.length > MOST_NAME) return { type: 'ai' }
  const maker = MAKERS.find(([, names]) => names.test(model))?.[0]
  if (!model.includes('/') && maker === undefined) return { type: 'ai' }
  return { type: 'ai', model_id: model.includes('/') ? model : `${maker}/${model}` }
}

const MOST_NAME = 200

const MAKERS: readonly (readonly [string, RegExp])[] = [
  ['anthropic', /^claude-/],
  ['google', /^gemini-/],
  ['openai', /^(?:gpt-|o[134](?:-|$))/],
]

/** A UUID (version 8) that is made of a text. */
function idOf(text: string): string {
  const hex = crypto().createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
