import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claude } from '../../../src/clients/claude/index.ts'
import type { Environment } from '../../../src/io/environment.ts'

let home: string
let folder: string
let environment: Environment

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'cortext-mcp-')))
  folder = join(home, 'project')
  mkdirSync(folder)
  environment = { cwd: folder, home, env: {}, now: () => new Date(), interactive: false }
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const put = (path: string, content: unknown) =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
const named = (...names: string[]) => ({
  mcpServers: Object.fromEntries(names.map((name) => [name, { command: name }])),
})

describe('MCP servers of a folder (S1-001g)', () => {
  it('are the project’s, those for this person everywhere, and those for this person here', () => {
    put(join(folder, '.mcp.json'), named('shared', 'twice'))
    const projects = { [folder]: named('local'), [join(home, 'other')]: named('elsewhere') }
    put(join(home, '.claude.json'), { ...named('everywhere', 'twice'), projects })
    expect(claude.tools.mcpServers!(environment, folder)).toEqual(['shared', 'twice', 'everywhere', 'local'])
  })

  it('are found by the real path, as Claude Code names a project', () => {
    symlinkSync(folder, join(home, 'link'))
    put(join(home, '.claude.json'), { projects: { [folder]: named('local') } })
    expect(claude.tools.mcpServers!(environment, join(home, 'link'))).toEqual(['local'])
  })

  it('are looked for where CLAUDE_CONFIG_DIR says', () => {
    mkdirSync(join(home, 'cfg'))
    put(join(home, '.claude.json'), named('left behind'))
    put(join(home, 'cfg', '.claude.json'), named('moved'))
    const env = { CLAUDE_CONFIG_DIR: join(home, 'cfg') }
    expect(claude.tools.mcpServers!({ ...environment, env }, folder)).toEqual(['moved'])
  })

  it('are none where there is no file', () => {
    expect(claude.tools.mcpServers!(environment, folder)).toEqual([])
  })

  it.each([
    '',
    '{"mcpServers":',
    'null',
    '[]',
    '{"mcpServers":null}',
    '{"mcpServers":["a"]}',
    '{"projects":7}',
  ])('a file with %j names none, and hides no other', (broken) => {
    put(join(folder, '.mcp.json'), named('shared'))
    put(join(home, '.claude.json'), broken)
    expect(claude.tools.mcpServers!(environment, folder)).toEqual(['shared'])
    put(join(folder, '.mcp.json'), broken)
    put(join(home, '.claude.json'), named('everywhere'))
    expect(claude.tools.mcpServers!(environment, folder)).toEqual(['everywhere'])
  })
})
