import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  // More is cut, and the whole named as a file: 50 KiB or 2,000 lines (1.18.33).
  shellOutput: { bytes: 50_000, lines: 1_990 },
  mcpServers,
}
