import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { snapshot } from '../helpers/doctor-lab.ts'
import { openGeminiWorkspaceLab } from './gemini-workspace.ts'
import { CLAUDE_VERSIONS } from './install.ts'
import type { Lab } from './lab.ts'
import { openWorkspaceLab as openOpenCodeLab } from './opencode-workspace.ts'
import { type LabWorkspace, openWorkspaceLab } from './workspace-lab.ts'

describe.each(CLAUDE_VERSIONS)('cortext doctor, with the real Claude Code %s', (version) => {
  // promise: it runs each client on
  it('knows its version, finds nothing wrong after a conversation, and writes nothing', async () => {
    await using lab = await openWorkspaceLab({ version })
    await lab.headless(['/workspace.brainstorm API design'])
    expect(await examined(lab)).toContain(`Claude Code ${version}, tested`)
  })

  it('tells where hooks are turned off, and the client then runs none', async () => {
    await using lab = await openWorkspaceLab({ version })
    writeFileSync(join(lab.home, '.claude', 'settings.json'), JSON.stringify({ disableAllHooks: true }))
    await lab.headless(['/workspace.brainstorm API design'])
    expect(lab.conversations()).toEqual([])
    const run = await lab.cortext(['doctor'])
    expect(run.code).toBe(1)
    expect(run.stdout).toMatch(/PROBLEM +Claude Code: "disableAllHooks"/)
  })
})

describe('cortext doctor, with the real Gemini CLI', () => {
  it('knows its version, finds nothing wrong after a conversation, and writes nothing', async () => {
    await using lab = await openGeminiWorkspaceLab()
    await lab.headless('/workspace.brainstorm API design')
    await lab.settled()
    expect(await examined(lab)).toContain('Gemini CLI 0.61.0, tested')
  })

  it('tells where a command of ours stands twice, and the client then knows neither', async () => {
    await using lab = await openGeminiWorkspaceLab()
    const name = '.gemini/commands/workspace.brainstorm.toml'
    await lab.run(['mkdir', '-p', join(lab.home, '.gemini', 'commands')])
    await lab.run(['cp', join(lab.project, name), join(lab.home, name)])
    await lab.headless('/workspace.brainstorm API design')
    expect(lab.conversations()).toEqual([])
    const run = await lab.cortext(['doctor', '--json'])
    const findings = JSON.parse(run.stdout).sections.flatMap(
      (section: { findings: object[] }) => section.findings,
    )
    const found = findings.find((one: { code: string }) => one.code === 'duplicate-command')
    await lab.run(['sh', '-ec', found.fix])
    await lab.headless('/workspace.brainstorm API design')
    expect(lab.conversations()).toHaveLength(1)
  })
})

describe('cortext doctor, with the real OpenCode', () => {
  it('knows its version and asks for its sessions, and writes nothing of its own', async () => {
    await using lab = await openOpenCodeLab()
    await lab.headless('hello')
    const said = await examined(lab, /\/\.(local\/(share|state)|cache|git)\/opencode(\/|$)/)
    expect(said).toContain('OpenCode 1.18.33, tested')
    expect(said).toContain('1 session of OpenCode in')
  })
})

/** What it says where nothing is wrong; whatever lies in home and project is as it was, but for `theirs`. */
async function examined(lab: Lab & LabWorkspace, theirs = /^$/): Promise<string> {
  const look = () =>
    [lab.home, lab.project].map((folder) =>
      Object.fromEntries(Object.entries(snapshot(folder)).filter(([path]) => !theirs.test(path))),
    )
  // The process behind the client's last hook, and the client's own, may still be at work.
  let before = look()
  for (let last: unknown; !isDeepStrictEqual(last, before); before = look()) {
    last = before
    await sleep(500)
  }
  const run = await lab.cortext(['doctor'])
  expect(look()).toEqual(before)
  expect(run, run.stdout).toMatchObject({ code: 0 })
  return run.stdout
}
