import { execFileSync } from 'node:child_process'
import { appendFileSync, copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { conversationNamed, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

interface Report {
  sections: { findings: { code: string; message: string; fix?: string }[] }[]
}

test.each([
  "messages (Ada's conflicted copy 2026-11-27).jsonl",
  'messages.sync-conflict-20261127-090000-ABCDEF.jsonl',
  'messages 2.jsonl',
  'messages-MACBOOK.jsonl',
])(
  'doctor names the copy %j of a sync service, and the command that it prints brings its words in',
  async (name) => {
    const lab = await workspaceLab()
    const claude = new ClaudeSession(lab)
    await claude.command('workspace.plan', 'Ship')
    await claude.turn('Said on both machines', 'Yes.')
    await lab.json(['stop', '1', '--json'])
    const folder = join(lab.root, conversationNamed(lab, '001-plan-ship'), '.session')
    const copy = join(folder, name)
    copyFileSync(join(folder, 'messages.jsonl'), copy)
    const line = {
      id: 'a'.repeat(32),
      role: 'user',
      content: 'Said elsewhere',
      timestamp: '2027-01-01T00:00:00.000Z',
    }
    appendFileSync(copy, `${JSON.stringify(line)}\n`)
    // A killed program has left a part of a line.
    appendFileSync(join(folder, 'messages.jsonl'), '{"id":"')
    const found = async () => {
      const { stdout } = await lab.cortext(['doctor', '--json'])
      const findings = (JSON.parse(stdout) as Report).sections.flatMap((section) => section.findings)
      return findings.filter(({ code }) => code === 'conflict-copy')
    }
    const [finding, ...others] = await found()
    expect(others).toEqual([])
    expect(finding!.message).toContain(name)
    execFileSync('sh', ['-c', finding!.fix!])
    expect(existsSync(copy)).toBe(false)
    expect(await found()).toEqual([])
    const said = talk(await shown(lab, '1'))
    expect(said.filter((one) => one.includes('Said on both'))).toHaveLength(1)
    expect(said.at(-1)).toBe('user: Said elsewhere')
  },
)
