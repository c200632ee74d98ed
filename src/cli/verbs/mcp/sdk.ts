/**
 * What we use of the protocol's official SDK. It is built into a file of its own (scripts/build.mjs), which only
 * `cortext mcp` loads. Its `Server` is the smaller of its two: the other one makes schemas at every start.
 */
export { Server } from '@modelcontextprotocol/sdk/server/index.js'
export { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
export {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
