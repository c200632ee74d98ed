import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../helpers/claude-session.ts'
import { type Lab, workspaceLab } from '../helpers/workspace-lab.ts'

test('a workspace far below the top of its repository, in letters that take nine in a name, records', async () => {
  const lab = await workspaceLab({ init: 'none' })
  const root = join(lab.root, 'プロジェクトの設計と実装のための作業場所', '新しい支払いの仕組みを考える')
  mkdirSync(root, { recursive: true })
  const below: Lab = { ...lab, root, cortext: (args, more) => lab.cortext(args, { cwd: root, ...more }) }
  expect((await below.cortext(['init'])).code).toBe(0)
  const claude = new ClaudeSession(below, root)
  await claude.command('workspace.plan', 'Payments')
  await claude.turn('hello')
  await below.cortext(['stop', '1'])
  const { stdout } = await below.cortext(['show', '1', '--messages'])
  expect(stdout).toContain('hello')
})
