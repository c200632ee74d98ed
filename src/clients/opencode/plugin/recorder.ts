import { homedir } from 'node:os'
import { type Answer, askCortext } from '../../shared/plugin/ask-cortext.ts'
import type { PluginEvent } from '../../shared/plugin/hook-language.ts'
import { isInWorkspace } from '../../shared/plugin/place.ts'
import { ownTranscript } from '../data-folder.ts'
import { type Entry, openTranscript, type Transcript } from './transcript.ts'

/** How the recorder asks OpenCode about sessions, and warns the person. */
interface Source {
  about(id: string): Promise<SessionFacts>
  /**
   * Everything that belongs in the transcript of a session, with its subagents. If a message is missing from it, the
   * person took the message back.
   */
  entriesOf(id: string): Promise<Entry[]>
  /**
   * Warns the person or, with `isNews`, shows them news, where that is possible. With `atStart`, OpenCode may still be
   * opening its window.
   */
  warn(message: string, isNews?: boolean, atStart?: boolean): void | Promise<void>
}

interface SessionFacts {
  /** On a subagent's session: the session that started it. */
  parent: string | undefined
  directory: string | undefined
  /** True when `cortext resume` made the session. Then it is recorded from its first message on. */
  resumed: boolean
}

/** A session that a person began, not one of a subagent. */
interface Session {
  readonly id: string
  readonly directory: string | undefined
  readonly resumed: boolean
  readonly transcript: Transcript
  /**
   * The tasks for a session run one after the other, so that the start of a turn is noted before its messages are
   * written.
   */
  queue: Promise<void>
}

export interface TypedCommand {
  command: string
  arguments: string
}

/**
 * Brings the transcripts of sessions up to date and reports to cortext what happens in them. It warns the person of
 * failures.
 */
export function openRecorder(source: Source) {
  const roots = new Map<string, Session>()

  /**
   * Returns the session itself, or for a subagent the session that the person began. Rejects where OpenCode does not
   * know the session.
   */
  async function rootOf(id: string): Promise<Session> {
    const cached = roots.get(id)
    if (cached !== undefined) return cached
    const { parent, directory, resumed } = await source.about(id)
    const transcript = openTranscript(ownTranscript({ env: process.env, home: homedir() }, id))
    const root = parent
      ? await rootOf(parent)
      : { id, directory, resumed, transcript, queue: Promise.resolve() }
    roots.set(id, root)
    return root
  }

  function enqueue(session: Session, work: () => Promise<void>): Promise<void> {
    session.queue = session.queue.then(work).catch((error) => source.warn(notRecorded(error)))
    return session.queue
  }

  async function updateTranscript(session: Session, upTo?: string): Promise<void> {
    const entries = await source.entriesOf(session.id)
    session.transcript.append(entries, { session: session.id, upTo })
  }

  /** Reports an event to cortext, and returns its answer. Undefined where cortext is missing or does not work. */
  async function report(
    { id, transcript, directory }: Session,
    event: PluginEvent['event'],
    more: Pick<PluginEvent, 'command' | 'args'> = {},
  ): Promise<Answer | undefined> {
    const input = { event, session: id, transcript: transcript.path, directory, ...more }
    const { answer, failure } = await askCortext('opencode', input, directory)
    const message = failure ?? answer?.person
    if (typeof message === 'string')
      void source.warn(message, failure === undefined, event === 'session-start')
    return answer
  }

  /** Brings the transcript up to date and reports the event to cortext, if the session is recorded. */
  async function mark(session: Session, event: PluginEvent['event'], upTo?: string): Promise<void> {
    if (!session.resumed && !session.transcript.exists()) return
    await enqueue(session, async () => {
      await updateTranscript(session, upTo)
      await report(session, event)
    })
  }

  return {
    rootOf,
    /** Brings the transcript up to date for cortext to read, whether or not the session is recorded so far. */
    updateTranscript: (session: Session) => enqueue(session, () => updateTranscript(session)),
    opens: (session: Session) => mark(session, 'session-start'),
    /**
     * Nothing waits for this: the prompt goes to the model at once. `message` is the id of the prompt. The prompt
     * itself is written later.
     */
    turnStarts: (session: Session, message: string) => void mark(session, 'turn-start', message),
    turnEnds: (session: Session) => mark(session, 'turn-end'),
    /** Begins the record with a command of ours. Resolves to the answer of cortext. */
    async commandTyped(session: Session, typed: TypedCommand): Promise<Answer | undefined> {
      let answer: Answer | undefined
      await enqueue(session, async () => {
        // Without a workspace cortext only says so, and no transcript shall be left.
        if (isInWorkspace(session.directory ?? process.cwd())) await updateTranscript(session)
        answer = await report(session, 'command', { command: typed.command, args: typed.arguments })
      })
      return answer
    },
    async end(): Promise<void> {
      await Promise.all([...new Set(roots.values())].map((session) => mark(session, 'session-end')))
    },
  }
}

/** Makes a hook that never throws, because OpenCode gives up a turn when a hook throws. */
export function harmless<Given extends unknown[]>(
  work: (...given: Given) => unknown,
  warn: Source['warn'],
): (...given: Given) => Promise<void> {
  return async (...given) => {
    try {
      await work(...given)
    } catch (error) {
      void warn(notRecorded(error))
    }
  }
}

function notRecorded(error: unknown): string {
  return `cortext could not record this: ${error instanceof Error ? error.message : error}`
}
