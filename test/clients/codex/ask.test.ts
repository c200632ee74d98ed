import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ask } from '../../../src/clients/codex/ask.ts'
import { codex } from '../../../src/clients/codex/index.ts'

describe('a question to Codex CLI', () => {
  // promise: `@path` in the messages is written so that no client reads the file.
  it('names no skill and no file that the client would add, and gets the signs back', () => {
    const { input, answer } = ask({ system: 'Ours.', user: 'for $5 see $skill-creator and @notes' })
    expect(input).not.toMatch(/[$@]/)
    const said = { type: 'item.completed', item: { type: 'agent_message', text: input } }
    const done = { type: 'turn.completed', usage: { input_tokens: 10, output_tokens: 2 } }
    const lines = [{ type: 'thread.started' }, said, done].map((line) => JSON.stringify(line))
    expect(answer(lines.join('\n'))).toEqual({
      text: 'for $5 see $skill-creator and @notes',
      tokens: { read: 10, wrote: 2 },
    })
    expect(answer(lines.slice(0, 2).join('\n'))).toBeUndefined()
  })

  it('turns each MCP server off by its name', () => {
    const { args } = ask({ system: '', user: '', mcpServers: ['notes', 'a"b\n'] })
    expect(args).toContain('mcp_servers.notes.enabled=false')
    expect(args.filter((one) => one.startsWith('mcp_servers'))).toHaveLength(1)
  })
})

it('the MCP servers of the person and of the project are listed by name', () => {
  const [home, folder] = [
    mkdtempSync(join(tmpdir(), 'cortext-codex-')),
    mkdtempSync(join(tmpdir(), 'cortext-codex-')),
  ]
  mkdirSync(join(folder, '.codex'))
  writeFileSync(
    join(home, 'config.toml'),
    [
      'model = "mcp_servers.no"',
      'words = """',
      '[mcp_servers.no]',
      '"""',
      '[mcp_servers.one] # mine',
      'command = "one"',
      '  [mcp_servers.one.env]',
      'A = "b"',
      '[mcp_servers."two"]',
      'url = "http://x"',
      '[mcp_servers]',
      'three = { command = "x" }',
      'dotted.command = "x"',
      '["mcp_servers" . \'four\']',
      'command = "x"',
      '[other]',
      'five = 1',
    ].join('\n'),
  )
  writeFileSync(join(folder, '.codex', 'config.toml'), '[mcp_servers.project]\ncommand = "x"\n')
  const environment = {
    cwd: folder,
    home,
    env: { CODEX_HOME: home },
    now: () => new Date(),
    interactive: false,
  }
  expect(codex.tools.mcpServers!(environment, folder)).toEqual([
    ...['project', 'one', 'two', 'three', 'dotted', 'four'],
  ])
  expect(codex.tools.mcpServers!({ ...environment, env: { CODEX_HOME: join(home, 'none') } }, home)).toEqual(
    [],
  )
})
