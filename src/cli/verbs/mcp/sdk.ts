/**
 * The parts that we use of the official SDK of the Model Context Protocol. They are built into a file of their own
 * (scripts/build.mjs), which only `cortext mcp` loads. We use `Server`, because the SDK's other server (`McpServer`)
 * makes schemas at every start.
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
