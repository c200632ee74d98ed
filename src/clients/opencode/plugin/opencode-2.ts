import { realpathSync } from 'node:fs'
import { commandIn } from './expanded-command.ts'
import type {
  PluginContext,
  PromptEvent,
  SaidMessage,
  SessionEvent,
  ShellEvent,
  ToolEvent,
} from './opencode-2-api.ts'
import { harmless, openRecorder, type Session } from './recorder.ts'
import type { Entry } from './transcript.ts'

/**
 * Registers with the context that OpenCode 2 gives to `setup`. Resolves to a function that OpenCode awaits when it
 * ends, or to nothing where the context has no sessions. Never rejects. It was written from OpenCode 2's public
 * documentation and sources.
 */
export async function recordOpenCode2(ctx: PluginContext): Promise<(() => Promise<void>) | undefined> {
  const { session: api, event: events, tool, shell } = ctx ?? {}
  if (!api?.hook || !api.context || !events?.subscribe) return undefined
  const folder = ctx.location?.directory
  const shells = new Map<string, string>()
  let ended = false
  const recorder = openRecorder({
    async about(id) {
      const info = await api.get({ sessionID: id })
      return { parent: info.parentID, directory: info.location?.directory, resumed: false }
    },
    entriesOf: (id) => entriesOf(api, id, ctx.app?.version),
    // The context leaves out what came before a compaction, and that was not taken back.
    tellsAll: false,
    warn: nobody,
  })

  /**
   * Finds sessions of this folder alone, because one process serves all projects of a person. Undefined for a subagent
   * too.
   */
  async function ownRoot(id: string): Promise<Session | undefined> {
    const session = await recorder.rootOf(id)
    const elsewhere = folder !== undefined && real(session.directory) !== real(folder)
    return session.id !== id || elsewhere ? undefined : session
  }

  async function onPrompt(event: PromptEvent): Promise<void> {
    const session = await ownRoot(event.sessionID)
    if (session === undefined) return
    const typed = commandIn(event.prompt.text)
    if (typed === undefined) return recorder.turnStarts(session, event.messageID)
    const answer = await recorder.commandTyped(session, typed, event.messageID)
    if (answer === undefined) return
    event.metadata = { ...event.metadata, cortext: typed }
    if (typeof answer.agent === 'string') event.prompt.text = `${event.prompt.text}\n\n${answer.agent}`
  }

  /** Before the agent calls cortext, the transcript has to be written and the agent's shell has to name the session. */
  async function onTool({ sessionID, input }: ToolEvent): Promise<void> {
    const command = input?.command
    if (typeof command !== 'string' || !/\bcortext\b/.test(command)) return
    const session = await recorder.rootOf(sessionID)
    shells.set(command, session.id)
    await recorder.bringUp(session)
  }

  function onShell({ command, env }: ShellEvent): void {
    const session = shells.get(command)
    shells.delete(command)
    if (session !== undefined) Object.assign(env, { OPENCODE: '1', CORTEXT_OPENCODE_SESSION: session })
  }

  async function onEvent({ type, data }: SessionEvent): Promise<void> {
    if (!TURN_ENDS.includes(type)) return
    const session = await ownRoot(data.sessionID)
    if (session !== undefined) await recorder.turnEnds(session)
  }

  async function follow(): Promise<void> {
    for await (const event of events!.subscribe()) {
      if (ended) return
      await harmless(onEvent, nobody)(event)
    }
  }

  const register = harmless(async () => {
    await api.hook('prompt', harmless(onPrompt, nobody))
    await tool?.hook?.('execute.before', harmless(onTool, nobody))
    await shell?.hook?.('create.before', harmless(onShell, nobody))
  }, nobody)
  await register()
  void harmless(follow, nobody)()

  return async () => {
    ended = true
    await recorder.end()
  }
}

const TURN_ENDS = ['succeeded', 'failed', 'interrupted'].map((how) => `session.execution.${how}`)

/** No way to tell the person is known. What was missed is written with the next turn. */
function nobody(): void {}

async function entriesOf(
  api: NonNullable<PluginContext['session']>,
  id: string,
  version: string | undefined,
): Promise<Entry[]> {
  const [{ title, location, parentID }, messages] = await Promise.all([
    api.get({ sessionID: id }),
    api.context({ sessionID: id }),
  ])
  const said = messages.map((message): Entry => ({ type: 'message', id: message.id, sessionID: id, message }))
  const children = await Promise.all(childrenIn(messages).map((child) => entriesOf(api, child, version)))
  return [
    { type: 'session', id, info: { id, title, location, parentID, version }, mcp: [] },
    ...said,
    ...children.flat(),
  ]
}

/** The sessions of the subagents that these messages started. */
function childrenIn(messages: readonly SaidMessage[]): string[] {
  const parts = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
  return [...new Set(parts.flatMap((part) => part.state?.metadata?.sessionID || []))]
}

function real(path: string | undefined): string | undefined {
  try {
    return path === undefined ? undefined : realpathSync(path)
  } catch {
    // The folder is gone, so only the same path counts as the same folder.
    return path
  }
}
