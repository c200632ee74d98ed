/**
 * The parts of the official Model Context Protocol SDK that we use. The build puts them into a file of their own
 * (scripts/build.mjs), and only `cortext mcp` loads this file. We use `Server`, because the SDK's other server
 * (`McpServer`) makes schemas at every start.
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
