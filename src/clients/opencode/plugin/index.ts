import { isInWorkspace, isLeftToProject } from '../../shared/plugin/place.ts'
import type { Hooks, OpenCodeClient, PluginInput, SaidMessage, TextPart } from './api.ts'
import { allowCortext, guardCommand } from './permissions.ts'
import { harmless, openRecorder, type TypedCommand } from './recorder.ts'
import type { Entry } from './transcript.ts'

/**
 * The plugin that `cortext init` puts into a workspace, or into the person's own settings. It runs in OpenCode's
 * process (Bun), so it imports only modules that Bun has as well. Loading it does nothing. OpenCode 1.18 loads a plugin
 * of this form. OpenCode 2 expects another form, and registers nothing of ours.
 */
export default { id: 'cortext', server: recordSessions }

/** Returns the hooks that OpenCode calls. None of them ever rejects. */
async function recordSessions({ client, directory }: PluginInput): Promise<Partial<Hooks>> {
  try {
    if (isLeftToProject(import.meta.url, directory, '.opencode/plugins/cortext.js')) return {}
  } catch {
    // Where the files cannot be compared, a session that is recorded twice is better than one that is not.
  }
  const resumed = forgetLaunch()
  let servers: string[] = []
  let allows = false
  const warn = warnOnce(client)
  const recorder = openRecorder({
    async about(id) {
      const info = (await client.session.get({ path: { id } })).data
      return { parent: info?.parentID, directory, resumed: info?.metadata?.cortext !== undefined }
    },
    entriesOf: (id) => entriesOf(client, id, servers),
    warn,
  })
  const safe = <Given extends unknown[]>(work: (...given: Given) => unknown) => harmless(work, warn)
  // OpenCode answers a plugin only after it has loaded all of them, so nothing may wait for this.
  if (resumed !== undefined)
    setTimeout(
      safe(async () => recorder.opens(await recorder.rootOf(resumed))),
      OPENED_MS,
    )

  return {
    config: safe((config) => {
      servers = Object.keys(config.mcp ?? {})
      allows = allowCortext(config)
    }),

    'command.execute.before': safe(async ({ command, sessionID, arguments: args }, { parts }) => {
      const body = parts.find((part) => part.type === 'text')
      if (body === undefined) return
      const typed = { command, arguments: args }
      if (!command.startsWith('workspace.')) {
        body.metadata = { ...body.metadata, cortext: typed }
        return
      }
      const answer = await recorder.commandTyped(await recorder.rootOf(sessionID), typed)
      if (answer === undefined) return
      showAsTyped(body, parts, typed)
      if (typeof answer.agent === 'string') parts.push({ type: 'text', synthetic: true, text: answer.agent })
    }),

    'chat.message': safe(async ({ sessionID }, { message }) => {
      const session = await recorder.rootOf(sessionID)
      if (session.id === sessionID) recorder.turnStarts(session, message.id)
    }),

    'tool.execute.before': safe(async ({ tool, sessionID }, { args }) => {
      if (tool !== 'bash' || typeof args?.command !== 'string' || !/\bcortext\b/.test(args.command)) return
      // Our rule would also allow redirections and chains: such a command is made to ask.
      if (allows) args.command = guardCommand(args.command)
      if (!isInWorkspace(directory)) return
      const session = await recorder.rootOf(sessionID)
      await recorder.updateTranscript(session)
      for (const delay of CALL_WRITTEN_MS) setTimeout(() => void recorder.updateTranscript(session), delay)
    }),

    'shell.env': safe(async ({ sessionID }, output) => {
      if (sessionID !== undefined) output.env.CORTEXT_OPENCODE_SESSION = (await recorder.rootOf(sessionID)).id
    }),

    event: safe(async ({ event }) => {
      if (event.type !== 'session.idle') return
      const session = await recorder.rootOf(event.properties.sessionID)
      if (session.id === event.properties.sessionID) await recorder.turnEnds(session)
    }),

    dispose: safe(recorder.end),
  }
}

/**
 * Removes the variables that the launch needed at start-up and that no program of the agent may see. Returns the session
 * that the launch opens.
 */
function forgetLaunch(): string | undefined {
  if (process.env.CORTEXT_OFFLINE === undefined) return undefined
  const opened = process.env.CORTEXT_OPENED
  delete process.env.CORTEXT_OFFLINE
  delete process.env.CORTEXT_OPENED
  delete process.env.npm_config_offline
  return opened
}

/** Returns a function that shows the person the first warning and all news. Without a terminal UI they see neither. */
function warnOnce(
  client: OpenCodeClient,
): (message: string, isNews?: boolean, atStart?: boolean) => Promise<void> {
  let warned = false
  return async (message, isNews = false, atStart = false) => {
    if (warned && !isNews) return
    warned ||= !isNews
    const duration = Math.max(10_000, message.length * READING_MS)
    try {
      for (const delay of atStart ? START_DELAYS_MS : TOAST_DELAYS_MS) {
        await new Promise((resolve) => setTimeout(resolve, delay))
        await client.tui.showToast({ body: { message, variant: isNews ? 'info' : 'warning', duration } })
      }
    } catch {
      // There is no terminal UI.
    }
  }
}

/** While OpenCode opens a session, it does not always show a toast (1.18.33). A toast takes the place of the one before. */
const TOAST_DELAYS_MS = [1_000]
const START_DELAYS_MS = [1_000, 3_000, 5_000]
/** A person reads some fifteen characters in a second. */
const READING_MS = 70
const OPENED_MS = 1_000
/**
 * Only after `tool.execute.before` does OpenCode write the words before a call, and the call itself (1.18.33: some 60
 * ms).
 */
const CALL_WRITTEN_MS = [100, 300]

async function entriesOf(client: OpenCodeClient, id: string, mcp: string[]): Promise<Entry[]> {
  const [{ data: info }, { data: messages }] = await Promise.all([
    client.session.get({ path: { id } }),
    client.session.messages({ path: { id } }),
  ])
  if (info === undefined || messages === undefined) throw new Error(`no session ${id}`)
  const talk = messages.map(({ info, parts }): Entry => ({ type: 'message', id: info.id, info, parts }))
  // The MCP servers are written once, in the record of the session that the person began.
  const children = await Promise.all(childrenIn(messages).map((child) => entriesOf(client, child, [])))
  return [{ type: 'session', id, info, mcp }, ...talk, ...children.flat()]
}

/** The sessions of the subagents that these messages started. */
function childrenIn(messages: readonly SaidMessage[]): string[] {
  const parts = messages.flatMap((message) => message.parts)
  return [...new Set(parts.flatMap((part) => part.state?.metadata?.sessionId || []))]
}

/** Shows the person what they typed, and gives the model the instructions. */
function showAsTyped(body: TextPart, parts: TextPart[], typed: TypedCommand): void {
  parts.push({ type: 'text', synthetic: true, text: body.text })
  body.text = `/${typed.command}${typed.arguments.trim() === '' ? '' : ` ${typed.arguments}`}`
  body.ignored = true
  body.metadata = { cortext: typed }
}
