import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  // Of a longer output the model gets the first 8,000 and the last 32,000 characters (0.61.0).
  shellOutput: { bytes: 39_000 },
  mcpServers,
}
