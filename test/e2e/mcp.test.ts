import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TOOLS } from '../../src/cli/verbs/mcp/definitions.ts'
import { type ClientsLab, openClients } from './clients-lab.ts'
import { type ModelRequest, toolResults, typedText } from './model-request.ts'
import { type Reply, tool } from './reply.ts'

/** How each client calls the tools of a server. */
const PREFIX = {
  claude: 'mcp__cortext__',
  opencode: 'cortext_',
  gemini: 'mcp_cortext_',
  copilot: 'cortext-',
}
const FILES = ['.mcp.json', 'opencode.json', '.gemini/settings.json']
const SAID = [
  { role: 'user', content: 'When does the zoo open?' },
  { role: 'assistant', content: 'At nine.' },
  { role: 'user', content: 'Which animals are there?' },
  { role: 'assistant', content: 'Lions, and some with stripes.' },
  { role: 'user', content: 'Who feeds them?' },
  { role: 'assistant', content: 'No: /animals is enough for zebras and their endpoint.' },
  { role: 'user', content: 'Why is it enough?' },
  { role: 'assistant', content: 'The keeper counts them all together.' },
  { role: 'user', content: 'And at night?' },
  { role: 'assistant', content: 'They sleep.' },
]
/** Three wordings of a question, as the description of the tool asks for. */
const QUERIES = ['do zebras need an endpoint of their own?', 'a route for striped animals', '/animals zebra']

describe('after `init --mcp`, what was said is found inside any client', () => {
  let lab: ClientsLab<keyof typeof PREFIX>
  beforeAll(async () => {
    lab = await openClients('claude', 'opencode', 'gemini', 'copilot')
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
    edit(lab, '../home/.copilot/permissions-config.json', ({ locations }) => {
      for (const toolName of ['search_workspace', 'show_messages'])
        locations[lab.project].tool_approvals.push({ kind: 'mcp', serverName: 'cortext', toolName })
    })
  })
  afterAll(() => lab.close())

  // promise: can ask what was said before, without leaving its own session
  // promise: So two calls lead from a question to the passage.
  // promise: what a client starts so that its agent can look things up here
  it.each(['claude', 'opencode', 'gemini', 'copilot'] as const)(
    '%s offers our tools, and a call is answered',
    async (id) => {
      const before = changes()
      const prompt = `what of the zebras, ${id}?`
      lab.model.script((request) =>
        typedText(request).includes(prompt) ? lookingUp(request, PREFIX[id]) : undefined,
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
      expect(results.join('\n')).toMatch(/#6 assistant, [\d :-]+: No: .animals is enough for zebras/)
      // The second answer is the passage, with what was said around it.
      expect(results.at(-1)).toContain('Messages 3 to 9 of 10')
      expect(results.at(-1)).toContain('── 6, ')
      for (const { content } of SAID.slice(2, 9)) expect(results.at(-1)).toContain(content)
      expect(results.at(-1)).not.toContain('They sleep.')
      expect(changes()).toEqual(before)
      expect(FILES.map((path) => readFileSync(join(lab.project, path), 'utf8'))).toEqual(files)
    },
  )

  /** But for what OpenCode installs for plugins. */
  function changes(): string[] {
    return lab.status().filter((line) => !/\.opencode\/(package|\.gitignore|node_modules)/.test(line))
  }

  it('`uninstall` takes it out of all their files', async () => {
    expect((await lab.cortext(['uninstall'])).code).toBe(0)
    for (const path of ['.mcp.json', '.gemini/settings.json']) {
      const servers = JSON.parse(readFileSync(join(lab.project, path), 'utf8')).mcpServers
      expect(Object.keys(servers)).toEqual(['notes'])
    }
    expect(existsSync(join(lab.project, 'opencode.json'))).toBe(false)
  })
})

/** What a model does that knows only the answers: it searches, opens the hit as the answer says, and reads it. */
function lookingUp(request: ModelRequest, prefix: string): Reply {
  const answer = toolResults(request).join('\n')
  if (answer === '') return tool(`${prefix}search_workspace`, { queries: QUERIES })
  // Gemini CLI may give a result as JSON, in which quotes are escaped.
  const [, hit] = /To read a hit [^{]*show_messages (\{[^}]*\})/.exec(answer) ?? []
  if (hit !== undefined) return tool(`${prefix}show_messages`, JSON.parse(hit.replaceAll('\\"', '"')))
  return 'They need none.'
}

// biome-ignore lint/suspicious/noExplicitAny: the settings of clients.
function edit({ project }: ClientsLab<'claude'>, path: string, change: (settings: any) => void): void {
  const file = join(project, path)
  const settings = JSON.parse(readFileSync(file, 'utf8'))
  change(settings)
  writeFileSync(file, JSON.stringify(settings, null, 2))
}
