import { expect, it } from 'vitest'
import { putProgram } from '../helpers/stand-ins.ts'
import { LIMIT } from './reply.ts'
import { openWorkspaceLab, saidIn } from './workspace-lab.ts'

it('Claude Code refuses a turn at its limit of use: the turn is recorded, and the next prompt says how to go on', async () => {
  await using lab = await openWorkspaceLab()
  putProgram(lab.bin, 'codex', 'exit 0')
  lab.model.when('one more', LIMIT)
  const terminal = await lab.interactive()
  await terminal.submit('/workspace.brainstorm API design')
  await terminal.waitFor('Scripted answer 1.')
  await terminal.submit('one more')
  await terminal.waitFor('Request rejected (429)')
  expect(saidIn(lab.messages()).join()).toContain('one more')
  await terminal.submit('and now')
  await terminal.waitFor(/refused a turn because of its limit of use[\s\S]*cortext resume 1 --in codex/)
})
