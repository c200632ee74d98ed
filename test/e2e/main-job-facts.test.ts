import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPackage } from '../helpers/ejected.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import { toolResults } from './model-request.ts'
import { tool } from './reply.ts'
import { openWorkspaceLab, type WorkspaceLab } from './workspace-lab.ts'

const TOOLS = ['mcp__notes__look_up', 'mcp__notes__write_down']
/** 2.1.197 writes no list of its tools into the transcript. */
const ONLY_USED = 'Claude Code names only the tools that were used; servers: notes'

describe.each(CLAUDE_VERSIONS)('Claude Code %s: what session.json says of the agent', (version) => {
  it('S1-001d-g: names the command, its hash, the model and the MCP tools, used or not', async () => {
    await using lab = await openWorkspaceLab({ version })
    connectServer(lab)
    lab.model.when('look it up', tool('mcp__notes__look_up', { word: 'REST' }), 'Found.')
    const terminal = await lab.interactive(['--allowedTools=mcp__notes'])
    await terminal.submit('/workspace.brainstorm API design')
    await terminal.waitFor('Scripted answer 1.')
    await terminal.submit('look it up')
    await terminal.waitFor('Found.')
    await lab.leave(terminal)
    expect(toolResults(lab.model.requests.at(-1)!)).toEqual(['REST: found'])
    const text = readFileSync(inPackage('commands/workspace.brainstorm.md'))
    expect(lab.session().agent_config).toEqual({
      client: 'claude',
      command: '/workspace.brainstorm',
      system_prompt_hash: `sha256:${createHash('sha256').update(text).digest('hex')}`,
      model: lab.model.requests[0]!.model,
      ...(version === '2.1.197'
        ? { tools: TOOLS.slice(0, 1), unknown: { tools: ONLY_USED } }
        : { tools: TOOLS }),
    })
  })
})

function connectServer(lab: WorkspaceLab): void {
  const server = { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.mjs')] }
  writeFileSync(join(lab.project, '.mcp.json'), JSON.stringify({ mcpServers: { notes: server } }))
  const local = readFileSync(join(lab.project, '.claude/settings.local.json'), 'utf8')
  lab.settings({ ...JSON.parse(local), enabledMcpjsonServers: ['notes'] })
}
