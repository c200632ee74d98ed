import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/cli/verbs/mcp/definitions.ts'
import { toolResults } from './model-request.ts'
import { tool } from './reply.ts'
import { openThreeClients, type ThreeClientsLab } from './three-clients.ts'

/** How each client calls the tools of a server. */
const PREFIX = { claude: 'mcp__cortext__', opencode: 'cortext_', gemini: 'mcp_cortext_' }
const FILES = ['.mcp.json', 'opencode.json', '.gemini/settings.json']
const SAID = [
  { role: 'user', content: 'Do zebras need an endpoint of their own?' },
  { role: 'assistant', content: 'No: /animals is enough for zebras.' },
]

describe('after `init --mcp`, what was said is found inside any client', () => {
  let lab: ThreeClientsLab
  beforeAll(async () => {
    lab = await openThreeClients()
    const input = SAID.map((message) => `${JSON.stringify(message)}\n`).join('')
    const clients = Object.keys(PREFIX).flatMap((client) => ['--in', client])
    for (const run of [
      await lab.cortext(['append', '--key', 'zoo'], { input }),
      await lab.cortext(['init', '--mcp', ...clients]),
    ])
      expect(run.code, run.stderr).toBe(0)
    // What a person answers when the client asks whether the server may be used, and its tools.
    edit(lab, '.claude/settings.local.json', (settings) => {
      settings.enabledMcpjsonServers = ['notes', 'cortext']
      settings.permissions.allow.push('mcp__cortext')
    })
    edit(lab, '.gemini/settings.json', (settings) => {
      settings.mcpServers.cortext.trust = true
    })
  })
  afterAll(() => lab.close())

  it.each(['claude', 'opencode', 'gemini'] as const)(
    '%s offers our tools, and a call is answered',
    async (id) => {
      const before = changes()
      const prompt = `what of the zebras, ${id}?`
      const call = (name: string, input: Record<string, unknown>) => tool(PREFIX[id] + name, input)
      lab.model.when(
        prompt,
        call('search_workspace', { query: 'zebras' }),
        call('show_messages', { id: '1' }),
        'They need none.',
      )
      const files = FILES.map((path) => readFileSync(join(lab.project, path), 'utf8'))
      const asked = lab.model.requests.length
      const { code, stdout, stderr } = await lab[id].ask(prompt)
      expect(code, stderr).toBe(0)
      expect(stdout).toContain('They need none.')
      const requests = lab.model.requests.slice(asked)
      // Newer versions of Claude Code name the tools of servers, and define one when the model asks for it.
      const offered = JSON.stringify(requests[0]!.body)
      for (const { name } of TOOLS) expect(offered).toContain(PREFIX[id] + name)
      const results = requests.map((request) => toolResults(request).join('\n'))
      expect(results.join('\n')).toContain('No: /animals is enough for zebras.')
      expect(results.at(-1)).toContain('Messages 1 to 2 of 2')
      expect(changes()).toEqual(before)
      expect(FILES.map((path) => readFileSync(join(lab.project, path), 'utf8'))).toEqual(files)
    },
  )

  /** But for what OpenCode installs for plugins. */
  function changes(): string[] {
    return lab.status().filter((line) => !/\.opencode\/(package|\.gitignore|node_modules)/.test(line))
  }

  it('`uninstall` takes it out of all three', async () => {
    expect((await lab.cortext(['uninstall'])).code).toBe(0)
    for (const path of ['.mcp.json', '.gemini/settings.json']) {
      const servers = JSON.parse(readFileSync(join(lab.project, path), 'utf8')).mcpServers
      expect(Object.keys(servers)).toEqual(['notes'])
    }
    expect(existsSync(join(lab.project, 'opencode.json'))).toBe(false)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the settings of clients.
function edit({ project }: ThreeClientsLab, path: string, change: (settings: any) => void): void {
  const file = join(project, path)
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  change(settings)
  writeFileSync(file, JSON.stringify(settings, null, 2))
}
