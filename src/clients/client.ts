import type { Environment } from '../io/environment.ts'
import type { Message } from '../session/schema.ts'

/**
 * The contract of one AI command-line client. Everything client-specific lives behind it; nothing outside
 * `clients/` tests for a client id. What is given an Environment may read; all else is pure. See README.md beside this file.
 */
export interface Client {
  /** Also the name of the binary. */
  readonly id: string
  /** As people write it: `Claude Code`. */
  readonly name: string
  /** Versions that the end-to-end tests ran, oldest first. */
  readonly tested: readonly string[]
  /** Where to get it: one command to paste. */
  readonly install: string

  /** Bytes of a shell command's output that its agent is given whole. */
  readonly shellOutputLimit: number
  /** Lines of it, where those are counted too. */
  readonly shellOutputLines?: number

  /**
   * Native sessions of a folder, newest first, from names and heads only. An absent store is an empty list. Throws
   * `client-failed` where the client has to be asked, and gives no answer.
   */
  locate(environment: Environment, folder: string): NativeSession[]
  /** Where the transcript of a native session of `folder` lies, whether or not it exists yet. */
  transcriptPath(environment: Environment, folder: string, nativeId: string): string
  /**
   * Whether the client still has a native session of `folder`, so that its own resume does not fail: people delete
   * sessions, and clients do. May take seconds where the client has to be asked; one that cannot be asked has it.
   */
  hasSession(environment: Environment, folder: string, nativeId: string): boolean
  /**
   * Of a client that keeps no transcript files, so that ours is written beside it: brings it up to what the client has.
   * May take seconds. Throws `not-found` when the client does not give the session out.
   */
  refresh?(environment: Environment, session: { nativeId: string; transcript: string; cwd: string }): void
  /** Folder of files that belong to a session (moved outputs, subagents), whether or not it exists. */
  sideFolder(transcript: string, nativeId: string): string
  /** A further one, where moved outputs lie elsewhere: `read` is given them below `outputs/`. */
  outputsFolder?(transcript: string, nativeId: string): string
  /**
   * Of a client that chooses the ids of sessions itself: the one that a handoff became, by what the seed of our launch
   * has left in it; undefined when nothing was said there.
   */
  launchedAs?(
    environment: Environment,
    folder: string,
    launch: string,
  ): { nativeId: string; transcript: string } | undefined
  /** The native session that this process runs inside, if the client's variables tell. */
  insideOf(env: Environment['env']): string | undefined

  /**
   * Byte offset in a transcript of the record with which the turn that is now running begins: what the person typed
   * (or what else woke the model), if it has no final answer yet; else the end, since the prompt of the running turn
   * is not written.
   */
  turnStart(bytes: Uint8Array): number
  /** Names of the MCP servers that the client is configured to use in a folder. */
  mcpServers(environment: Environment, folder: string): string[]

  /** Raw transcript → canonical messages, facts and an account of every byte. Never throws on content. */
  read(raw: RawTranscript): Reading

  /** One tool-neutral command → the file this client loads it from. */
  renderCommand(command: PackCommand): RenderedFile
  /** Files that it needs besides commands and settings; `shipped` reads one of our package by its path there. */
  files?(shipped: (path: string) => string): RenderedFile[]
  /** The text the model receives when a person runs the command: front matter gone, arguments filled in. */
  commandBody(command: PackCommand, args: string): string
  /** Settings with our hooks and pre-approved calls put in (idempotent), and taken out again. No file: it needs none. */
  settingsFile(shared: boolean): string | undefined
  /** The client reads comments in that file. */
  readonly settingsHaveComments?: true
  addHooks(settings: Record<string, unknown>): Record<string, unknown>
  removeHooks(settings: Record<string, unknown>): Record<string, unknown>

  /** An id for a new native session, where the client wants it in a form of its own; else it is a UUID. */
  newSessionId?(now: Date): string
  /**
   * What in the person's own settings keeps our commands or hooks from working in a folder, or puts native sessions at
   * risk. Reads settings files, runs nothing. Absent: nothing is known that could.
   */
  health?(environment: Environment, folder: string): ClientFinding[]
  /** After how long it deletes its own sessions of a folder; undefined, or absent: it never does. */
  retention?(environment: Environment, folder: string): Retention | undefined

  /** How to start the client for an intent. Constants only on the command line. */
  launch(intent: LaunchIntent): LaunchSpec
  /**
   * What has to be done before the client is started in the terminal, its files being in place. May take seconds,
   * bounded. Throws `client-failed` where the start would come to nothing.
   */
  prepare?(environment: Environment, launch: LaunchSpec): void

  /**
   * How to put one question to its model without a terminal, in an empty folder: with no tools, hooks, plugins or
   * commands, as far as it can be told so. Pure; constants only on the command line.
   */
  ask?(question: Question): AskSpec
}

export interface Question {
  /** Constant words of ours. */
  system: string
  /** Begins with words of ours; the rest is text from a record. */
  user: string
}

export interface AskSpec {
  command: string
  args: string[]
  env: Record<string, string>
  /** To be written into the folder before the start; paths relative to it. */
  files: { path: string; content: string }[]
  /** For stdin. */
  input: string
  /** What it printed on stdout; undefined where that is no answer. */
  answer(stdout: string): AskAnswer | undefined
}

export interface AskAnswer {
  text: string
  /** That wrote it, where the client tells. */
  model?: string
  /** As the client counts them, where it does. */
  tokens?: { read: number; wrote: number }
}

/** What `cortext doctor` tells of a client's settings; see Finding in journeys/doctor/finding.ts. */
export interface ClientFinding {
  severity: 'note' | 'problem'
  /** Stable, for scripts: `hooks-disabled`. */
  code: string
  message: string
  /** A command to paste, or what to do. */
  fix: string
}

export interface Retention {
  /** Days since a session's last change; may be a fraction. */
  days: number
  /** Where it is set, for the person: `cleanupPeriodDays`. */
  setting: string
}

export interface NativeSession {
  client: string
  nativeId: string
  /** Absolute path of the transcript. */
  transcript: string
  /** The client's own title, else the first thing the person said, cut to a line; may be empty. */
  title: string
  /** Folder it was held in. */
  cwd: string
  /** Modification time of the transcript. */
  lastActive: Date
  bytes: number
}

export interface RawTranscript {
  nativeId: string
  /** The transcript from byte 0, as far as it is known. */
  bytes: Uint8Array
  /** The segment to read: byte offsets, `from` included, `to` excluded; default all. */
  from?: number
  to?: number
  /** A side file by its path below the side folder; undefined when it is not there. */
  side(path: string): Uint8Array | undefined
  /** Paths below the side folder. */
  sides: readonly string[]
}

export interface Reading {
  /** In the order of the talk, which `seq` follows: whole contents, nothing redacted or cut. Events included. */
  messages: Message[]
  /** What subagents said, by the id of the tool call that started them. */
  subagents: Record<string, Message[]>
  /** Bytes of attachments by sha256. */
  blobs: Map<string, Uint8Array>
  facts: ReadingFacts
  report: ReadReport
}

export interface ReadingFacts {
  /** The last model that answered. */
  model?: string
  /** MCP tools that the transcript names as given or used. */
  mcpTools: string[]
  /** The transcript names only tools that were called: there may be more. */
  calledToolsOnly?: true
  /** The client's own title, else nothing. */
  title?: string
  cwd?: string
  clientVersion?: string
  /** Native ids of the first and last record read. */
  from?: string
  to?: string
  /** Whether the last turn has its final answer: false while the agent works or the client has not flushed. */
  settled: boolean
}

/** Every byte of the segment is in exactly one of these; `bytes` is their sum. */
export interface ReadReport {
  bytes: number
  /** Became (part of) a message. */
  kept: { records: number; bytes: number }
  /** Says again what a kept record says (usage, titles, leaf pointers). */
  derived: { records: number; bytes: number }
  /** Left out by a named rule: rule → records and bytes. */
  dropped: Record<string, { records: number; bytes: number }>
  /** Kept raw as `unknown` events: kind → records and bytes. */
  unknown: Record<string, { records: number; bytes: number }>
  /** Lines that are not JSON, and a torn last line. Kept in the journal, told to the person. */
  unreadable: { line: number; bytes: number }[]
}

/** A slash command of the prompt pack, tool-neutral. */
export interface PackCommand {
  /** Without the slash: `workspace.brainstorm`. */
  name: string
  description: string
  /** Shown by the client behind the name: `<topic>`. */
  argumentHint: string
  /** Markdown; `$ARGUMENTS` stands for what the person typed behind the command. */
  body: string
}

export interface RenderedFile {
  /** Relative to the workspace root, with forward slashes. */
  path: string
  content: string
}

export type LaunchIntent =
  | { mode: 'native'; nativeId: string; cwd: string }
  | {
      mode: 'handoff'
      /** The id that the new native session shall have. */
      nativeId: string
      cwd: string
      command: PackCommand
      /** Arguments shown behind the command: the conversation's title. */
      args: string
      /** The block and the history. */
      context: string
      /** `[Resuming "…"]` */
      recap: string
      /** Absolute path below which launch files may be put. */
      folder: string
    }

export interface LaunchSpec {
  command: string
  args: string[]
  env: Record<string, string>
  cwd: string
  /** To be written before the launch, 0600, absolute paths. */
  files: { path: string; content: string }[]
}

/** The client's part of the hook bundle: imports nothing but types. */
export interface HookLanguage {
  /** Never throws: a payload that is not understood is an event of kind `other`. */
  parse(payload: unknown, env: Record<string, string | undefined>): HookEvent
  /** What the hook prints so that the agent is told something; '' where the event cannot carry it. */
  tellAgent(event: HookEvent, text: string): string
  /** What the hook prints so that the person, not the agent, is told something. */
  tellPerson(event: HookEvent, text: string): string
  /** False where the shell commands of an agent have no variable that names its session: hooks note whose process they run under. */
  readonly shellsNameSession: boolean
}

/** What a hook tells, whichever client it comes from. */
export interface HookEvent {
  kind: 'session-start' | 'command' | 'turn-start' | 'turn-end' | 'session-end' | 'other'
  nativeId: string
  /** '' where the client does not tell it, or not the right one. */
  transcript: string
  /** The project folder of the client. */
  cwd: string
  /** On `command`: the slash command without the slash, and its raw arguments. */
  command?: string
  args?: string
  /** On `command`: no `turn-start` follows for this turn. */
  opensTurn?: boolean
  /** Id of our own launch that this session came from, where the client chose another id for it. */
  launch?: string
  /** On `session-start` and `session-end`: the client continues elsewhere under another id (`/clear`). */
  cleared?: boolean
}
