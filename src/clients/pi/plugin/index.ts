import { type Answer, askCortext } from '../../shared/plugin/ask-cortext.ts'
import type { PluginEvent } from '../../shared/plugin/hook-language.ts'
import { isLeftToProject } from '../../shared/plugin/place.ts'
import type { Context, ExtensionApi } from './api.ts'
import { isUnknown } from './unknown-session.ts'

/**
 * The extension that `cortext init` puts into a workspace, or into the person's own settings. It runs in Pi's process,
 * and Pi waits for each handler. Pi loads it anew for every session.
 */
export default function recordSession(pi: ExtensionApi): void {
  if (isLeft(process.cwd())) return
  /** What the person typed and Pi has not yet put into the session. */
  let typed: Typed[] = []
  /** What cortext says to the agent about the command that was typed, until the agent has it. */
  let note = ''
  /** Whether cortext already knows of the turn: one of our commands began it. */
  let opened = false
  /** Whether the agent works. */
  let running = false
  let warned = false

  function forgetTyped(): void {
    typed = []
    note = ''
    opened = false
  }

  function tell({ hasUI, ui }: Context, message: unknown, isNews: boolean): void {
    if (typeof message !== 'string' || message === '' || !hasUI || (warned && !isNews)) return
    warned ||= !isNews
    ui.notify(message, isNews ? 'info' : 'warning')
  }

  async function report(
    context: Context,
    event: PluginEvent['event'],
    more: Pick<PluginEvent, 'command' | 'args' | 'cleared'> = {},
  ): Promise<Answer> {
    const { cwd: directory, sessionManager } = context
    const session = sessionManager.getSessionId()
    const transcript = sessionManager.getSessionFile()
    if (transcript === undefined || (event !== 'command' && isUnknown(directory, session))) return {}
    const { answer, failure } = await askCortext(
      'pi',
      { event, session, transcript, directory, ...more },
      directory,
    )
    const show = () => tell(context, failure ?? answer?.person, failure === undefined)
    // Pi draws the talk of a session after this event, and what was shown before it is then out of sight.
    if (event === 'session-start') setTimeout(ignoringErrors(show), SHOWN_AFTER_MS)
    else show()
    return answer ?? {}
  }

  /** Reports one of our commands, as it was typed. */
  async function reportCommand(context: Context, text: string): Promise<void> {
    const [, command, args = ''] = /^\/(workspace\.[a-z][a-z0-9-]*)(?:\s+([\s\S]*))?$/.exec(text) ?? []
    if (command === undefined) return
    const { agent } = await report(context, 'command', { command, args })
    opened = true
    note = typeof agent === 'string' ? agent : ''
  }

  /** Makes a handler that never throws: Pi shows the person each error of an extension. */
  function harmless<Event, Result>(work: (event: Event, context: Context) => Promise<Result>) {
    return async (event: Event, context: Context): Promise<Result | undefined> => {
      try {
        return await work(event, context)
      } catch (error) {
        const reason = error instanceof Error ? error.message : error
        try {
          tell(context, `cortext could not record this: ${reason}`, false)
        } catch {
          // Nobody can be told.
        }
        return undefined
      }
    }
  }

  pi.on(
    'session_start',
    harmless(async ({ reason }, context) => {
      if (reason !== 'reload') await report(context, 'session-start', { cleared: reason === 'new' })
    }),
  )

  pi.on(
    'input',
    harmless(async ({ text, source }, context) => {
      // If Pi refused the prompt before this one, for example without a model, no other event has said so.
      if (!running && source !== 'extension') forgetTyped()
      // What is typed while the agent works waits, and what the agent says until then belongs to the turn before.
      const waits = source !== 'extension' && running
      typed.push({ text, waits })
      if (source !== 'extension' && !running) await reportCommand(context, text)
    }),
  )

  pi.on(
    'before_agent_start',
    harmless(async (_event, context) => {
      running = true
      if (!opened) await report(context, 'turn-start')
      const content = note
      note = ''
      return content === '' ? undefined : { message: { customType: 'cortext', content, display: false } }
    }),
  )

  // The agent gets the note on a command that waited at each request of its turn, because Pi keeps no message here.
  pi.on(
    'context',
    harmless(async ({ messages }) => {
      if (note === '') return undefined
      const at = messages.findLastIndex(({ role }) => role === 'user')
      return { messages: messages.toSpliced(at, 0, { role: 'user', content: note, timestamp: Date.now() }) }
    }),
  )

  // Pi puts the expanded text of a command or a skill into the session, directly after this.
  pi.on(
    'message_end',
    harmless(async ({ message }, context) => {
      if (message.role !== 'user') return
      const said = textOf(message.content)
      const asTyped = typed.findIndex(({ text }) => text === said)
      const index = asTyped === -1 ? expandedInto(said, typed) : asTyped
      if (index === -1) return
      const [{ text, waits } = { text: '', waits: false }] = typed.splice(index, 1)
      if (asTyped !== -1) return
      if (waits) await reportCommand(context, text)
      pi.appendEntry('cortext', { typed: text })
    }),
  )

  pi.on(
    'agent_settled',
    harmless(async (_event, context) => {
      running = false
      forgetTyped()
      await report(context, 'turn-end')
    }),
  )

  pi.on(
    'session_shutdown',
    harmless(async ({ reason }, context) => {
      if (reason !== 'reload') await report(context, 'session-end', { cleared: reason === 'new' })
    }),
  )
}

const SHOWN_AFTER_MS = 500

/** The person may have left the session meanwhile. */
function ignoringErrors(show: () => void): () => void {
  return () => {
    try {
      show()
    } catch {
      // Nobody can be told.
    }
  }
}

interface Typed {
  text: string
  /** True when it was typed while the agent worked, so that cortext is told only when Pi takes it. */
  waits: boolean
}

/** Whether the extension of the project records, and this file is in the person's own settings. */
function isLeft(folder: string): boolean {
  try {
    return isLeftToProject(import.meta.url, folder, '.pi/extensions/cortext.js')
  } catch {
    // Where the files cannot be compared, a session that is recorded twice is better than one that is not.
    return false
  }
}

/** The typed command that became this text; -1 if several wait and it is not certain which. */
function expandedInto(said: string, typed: readonly Typed[]): number {
  const commands = typed.filter(({ text }) => text.startsWith('/'))
  const fitting = commands.filter(({ text }) => {
    const args = text.replace(/^\S+\s*/, '')
    return args !== '' && said.includes(args)
  })
  const [command, ...others] = fitting.length > 0 ? fitting : commands
  return command === undefined || others.length > 0 ? -1 : typed.indexOf(command)
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  const parts: { text?: unknown }[] = Array.isArray(content) ? content : []
  return parts.flatMap(({ text }) => (typeof text === 'string' ? text : [])).join('\n')
}
