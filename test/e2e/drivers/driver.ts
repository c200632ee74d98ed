import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ClientId } from '../../../src/clients/index.ts'
import type { Finished, Lab } from '../lab.ts'
import type { Block } from '../reply.ts'
import type { Terminal } from '../terminal.ts'

/** One client, driven as a person would: the same words for all. */
export interface Driver {
  readonly id: ClientId
  readonly name: string
  /** The client in a terminal, once it can be typed to. */
  open(): Promise<Terminal>
  /** Returns once the client that cortext has started in a terminal can be typed to. */
  ready(terminal: Terminal): Promise<void>
  /** The same, where it goes on with a session of its own. */
  readyAgain(terminal: Terminal): Promise<void>
  /** Types a prompt and waits for its answer. */
  say(terminal: Terminal, typed: string, answer: string): Promise<void>
  /** Ends the client; its exit code, once what was said is published. */
  leave(terminal: Terminal): Promise<number>
  /** What the person's yes does when the client asks in a new folder whether it may run what is in it. Absent: it asks nothing. */
  trust?(folder: string): void | Promise<void>
  /** A slash command without a terminal, in a new session. */
  headless(command: string, args: string): Promise<Finished>
  /** A prompt without a terminal, in a new session. */
  ask(said: string): Promise<Finished>
  /** The same in the session that was the last one. */
  goOn(said: string): Promise<Finished>
  /** What its agent runs in the shell. */
  shell(command: string): Block
  /** What a person types to run a command of ours. */
  typed(command: string): string
  /** A call of the tool `look_up` of the server `notes`, in this client's name for it. */
  lookUp(word: string): Block
  /** Where its model reads the instructions in the client's own words: the file, and what stands there for the arguments. */
  readonly ownWords?: { path(command: string): string; args(command: string): string }
}

/** How a client comes onto a person's machine. */
export interface Machine {
  /** What the client needs in its environment, given the port of the fake model. */
  env(port: number): Record<string, string>
  /** The folder in which the lab has to be. Absent: any. */
  readonly place?: string
  /**
   * Puts the client there, with the MCP server `notes`, before the workspace is made. The function that it returns is
   * called once the workspace is made.
   */
  put(lab: Lab): () => Driver | Promise<Driver>
}

/** The command line of the MCP server `notes`. */
export const NOTES: readonly [string, ...string[]] = [
  process.execPath,
  join(import.meta.dirname, '..', 'mcp-server.mjs'),
]

/** Writes a JSON file of the project. */
export function putJson(lab: Lab, path: string, content: object): void {
  mkdirSync(dirname(join(lab.project, path)), { recursive: true })
  writeFileSync(join(lab.project, path), JSON.stringify(content))
}
