import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { LONG } from '../helpers/long.ts'
import { allText } from './model-request.ts'
import { exit, openWorkspaceLab, saidIn } from './workspace-lab.ts'

it('S4-P4-6 the list of all workspaces fits a terminal of 80 columns', async () => {
  await using lab = await openWorkspaceLab()
  const title = 'How do we tell the three teams that call us which of the fields are theirs, and when?'
  await lab.cortext(['start', 'brainstorm', title])
  const terminal = lab.terminal(['cortext', 'list', '--everywhere'], { cols: 80 })
  expect(await terminal.waitForExit()).toBe(0)
  const lines = terminal.history().split('\n')
  expect(lines.find((line) => line.includes('How do we tell'))).toMatch(/^project .{40,71}…$/)
  expect(lines.some((line) => /^project +\S*\/project\s*$/.test(line))).toBe(true)
})

describe('the client is started in the workspace, and what is said is kept there', () => {
  const WAYS: [string, string[], string | undefined, string][] = [
    ['cortext resume in a folder that is none', ['cortext', 'resume', 'kumquats'], undefined, 'elsewhere'],
    ['the picker there, by words that only were said', ['cortext'], 'kumquats', 'elsewhere'],
    ['the picker in it, by words that only were said', ['cortext'], 'kumquats', 'project'],
  ]
  it.each(LONG ? WAYS : WAYS.slice(0, 2))('S4-P4-6: by %s', async (_, command, typed, folder) => {
    await using lab = await openWorkspaceLab()
    await lab.headless(['/workspace.brainstorm API Design'])
    await lab.headless(['-c', 'An endpoint for kumquats'])
    await lab.headless(['/workspace.brainstorm Release plan'])
    expect((await lab.cortext(['save', '001'])).code).toBe(0)
    const cwd = join(lab.folder, folder)
    mkdirSync(cwd, { recursive: true })

    const terminal = lab.terminal(command, { cwd })
    if (typed !== undefined) {
      await terminal.waitFor('Release plan')
      terminal.type(typed)
      await terminal.waitFor((shown) => shown.includes('API Design') && !shown.includes('Release plan'))
      terminal.press('Enter')
    }
    await terminal.waitFor(/^─+\n❯/m)
    await terminal.submit('please go on')
    await terminal.waitFor('Scripted answer 4.')
    expect(await exit(terminal)).toBe(0)
    await lab.settled()

    expect(allText(lab.model.requests.at(-1)!)).toContain('An endpoint for kumquats')
    const path = lab.conversations().find((one) => one.endsWith('api-design'))
    expect(saidIn(lab.messages(path)).slice(-2)).toEqual([
      'user: please go on',
      'assistant: Scripted answer 4.',
    ])
    expect(lab.session(path).status).toBe('paused')
  })
})
