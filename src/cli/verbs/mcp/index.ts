import type { Environment } from '../../../io/environment.ts'
import { note } from '../../print.ts'
import { TOOLS } from './definitions.ts'

declare const __VERSION__: string

/**
 * Answers a client's model over standard input and output, until the input ends. The answers are about the workspace in
 * which the client was started. Changes no conversation. `list` and `show` first save quiet conversations; this does
 * not. Also starts outside of a workspace, and each tool then reports that there is none.
 */
export async function mcp(environment: Environment): Promise<void> {
  if (environment.interactive)
    note(
      'An AI client starts this program and talks to it over standard input. To set that up: cortext init --mcp',
    )
  const sdk = await import('./sdk.ts')
  const capabilities = { tools: {}, resources: {} }
  const server = new sdk.Server({ name: 'cortext', version: __VERSION__ }, { capabilities })
  server.onerror = (error) => note(`cortext mcp: ${error.message.slice(0, 200)}`)

  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: [...TOOLS] }))
  server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params }) => {
    const tool = TOOLS.find(({ name }) => name === params.name)
    if (tool === undefined) throw new sdk.McpError(sdk.ErrorCode.InvalidParams, 'there is no such tool')
    const { callTool } = await import('./answer.ts')
    return callTool(environment, tool.name, params.arguments ?? {})
  })
  server.setRequestHandler(sdk.ListResourcesRequestSchema, async () => {
    const { listResources } = await import('./resources.ts')
    return { resources: listResources(environment) }
  })
  server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [{ uriTemplate: 'cortext://conversation/{date}/{id}', name: 'conversation' }],
  }))
  server.setRequestHandler(sdk.ReadResourceRequestSchema, async ({ params }) => {
    const { readResource } = await import('./resources.ts')
    try {
      return { contents: [await readResource(environment, params.uri)] }
    } catch (error) {
      const { errorText } = await import('./answer.ts')
      throw new sdk.McpError(sdk.ErrorCode.InvalidParams, errorText(error))
    }
  })
  // When the input has ended and all calls are answered, nothing keeps the process alive.
  await server.connect(new sdk.StdioServerTransport())
}
