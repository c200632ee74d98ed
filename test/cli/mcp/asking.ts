import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { withCompileCache } from '../../helpers/node-starts.ts'
import { BIN, type Lab } from '../../helpers/workspace-lab.ts'

export interface Asking {
  client: Client
  transport: StdioClientTransport
  /** The text of the answer to a call. */
  call: (name: string, given?: Record<string, unknown>) => Promise<string>
  /** The text of an answer that says what is wrong. */
  fails: (name: string, given?: Record<string, unknown>) => Promise<string>
}

/** The SDK's own client on the built program, in `cwd`; both end with the test. */
export async function asking(
  { env, root }: Pick<Lab, 'env' | 'root'>,
  { cwd = root, version }: { cwd?: string; version?: string } = {},
): Promise<Asking> {
  const transport = new Speaking(version, {
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd,
    env: withCompileCache(env),
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const answer = async (name: string, given: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ text: string }]
    return { text, failed: isError === true }
  }
  return {
    client,
    transport,
    call: async (name, given = {}) => {
      const { text, failed } = await answer(name, given)
      if (failed) throw new Error(text)
      return text
    },
    fails: async (name, given = {}) => {
      const { text, failed } = await answer(name, given)
      if (!failed) throw new Error(`no failure: ${text}`)
      return text
    },
  }
}

/** A client of an older version of the protocol says so in its first message. */
class Speaking extends StdioClientTransport {
  readonly #version: string | undefined

  constructor(version: string | undefined, server: ConstructorParameters<typeof StdioClientTransport>[0]) {
    super(server)
    this.#version = version
  }

  override send(message: JSONRPCMessage): Promise<void> {
    if (this.#version === undefined || !('method' in message) || message.method !== 'initialize')
      return super.send(message)
    return super.send({ ...message, params: { ...message.params, protocolVersion: this.#version } })
  }
}
