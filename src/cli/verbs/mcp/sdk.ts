/**
 * The parts that we use of the official SDK of the Model Context Protocol. They are built into a file of their own
 * (scripts/build.mjs), which only `cortext mcp` loads. Of the SDK's two servers we use the smaller one, `Server`: the
 * other one makes schemas at every start.
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
