import type { Environment } from '../../io/environment.ts'

export interface Tools {
  /** How much of a shell command's output the client's agent is given whole. Longer ones are handed over in parts. */
  readonly shellOutput: { bytes: number; lines?: number }
  /** The names of the MCP servers that the client is configured to use in a folder. Absent: it uses none. */
  mcpServers?(environment: Environment, folder: string): string[]
}
