import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inLongRun } from '../helpers/in-long-run.ts'
import { openWorkspaceLab, qwenShell } from './qwen.ts'
import { say } from './say.ts'
import { callInTurn, FORMS, mapped, NEIGHBOURS, namesOf, ranNot, ranWell } from './unasked.ts'

/** The client asks the person about every command that it does not take for harmless. */
const ASKS = {
  tools: { approvalMode: 'default', useRipgrep: false, shell: { enableInteractiveShell: false } },
}

// promise: as the whole call, by our hook where it would ask you in a terminal; nothing on Windows
it('Qwen Code in a terminal runs the calls of `cortext agent` without asking', async () => {
  await using lab = await openWorkspaceLab({ userSettings: ASKS })
  const terminal = await lab.interactive()
  const done = await callInTurn(lab, mapped(FORMS, qwenShell), (said) =>
    say(terminal, said, 'All were called.'),
  )
  ranWell(done, namesOf(FORMS))
  expect(await lab.leave(terminal)).toBe(0)
  expect(lab.session()).toMatchObject({ status: 'paused', context_summary: "a > b; it's c" })
})

// promise: as the whole call, by our hook where
inLongRun('Qwen Code in a terminal asks about what only looks like one', async () => {
  await using lab = await openWorkspaceLab({ userSettings: ASKS })
  const terminal = await lab.interactive()
  for (const name of ['redirection', 'substitution', 'environment prefix', 'other verb'] as const) {
    lab.model.when(name, qwenShell(NEIGHBOURS[name]), 'It ran.')
    await terminal.submit(`Please try: ${name}`, { after: 400 })
    await terminal.waitFor('Yes, allow once')
    await terminal.pressUntil('Escape', (screen) => !screen.includes('Yes, allow once'))
  }
  expect(existsSync(join(lab.project, 'y'))).toBe(false)
})

// promise: `deny` goes before ours
it('Qwen Code keeps to what the person denies', async () => {
  const permissions = { deny: ['Bash(cortext agent list)'] }
  await using lab = await openWorkspaceLab({ userSettings: { ...ASKS, permissions } })
  const terminal = await lab.interactive()
  const calls = mapped({ denied: FORMS.list, other: FORMS.search }, qwenShell)
  const done = await callInTurn(lab, calls, (said) => say(terminal, said, 'All were called.'))
  ranNot(done, ['denied'])
  ranWell(done, ['other'])
})
