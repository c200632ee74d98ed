// A stdio MCP server with two tools, as small as one can be.
import { createInterface } from 'node:readline'

const TOOLS = ['look_up', 'write_down'].map((name) => ({
  name,
  description: name,
  inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
}))

const RESULTS = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: 'notes', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'tools/call': ({ arguments: { word } }) => ({ content: [{ type: 'text', text: `${word}: found` }] }),
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) continue
  const result = RESULTS[method]?.(params) ?? {}
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`)
}
