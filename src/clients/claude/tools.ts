import type { Tools } from '../contract/tools.ts'
import { mcpServers } from './mcp.ts'

export const tools: Tools = {
  // More is cut to a preview of 2 KB and a path (30,000 on 2.1.197).
  shellOutput: { bytes: 29_000 },
  mcpServers,
}
