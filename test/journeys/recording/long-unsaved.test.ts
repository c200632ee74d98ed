import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ClaudeSession } from '../../helpers/claude-session.ts'
import { type Lab, shown, talk, workspaceLab } from '../../helpers/workspace-lab.ts'

const NOTE =
  '[cortext] This conversation has run for 1 h 10 min without a save; you may offer once to save it or to stop.'

test('S0-D6e: after an hour without a save the next prompt tells the agent so, once, and it is not recorded', async () => {
  const lab = await workspaceLab()
  const claude = new ClaudeSession(lab)
  await claude.command('workspace.brainstorm', 'API')
  const prompted = async () => (await claude.hook('UserPromptSubmit', { prompt: 'on' })).stdout
  expect(await prompted()).toBe('')
  age(lab, 'started_at')
  const { hookSpecificOutput, systemMessage } = JSON.parse(await prompted())
  expect(hookSpecificOutput).toEqual({ hookEventName: 'UserPromptSubmit', additionalContext: NOTE })
  expect(systemMessage).toBeUndefined()
  expect(await prompted()).toBe('')
  await claude.turn('and on')
  // A save begins the hour anew, however old the conversation is.
  age(lab, 'saved_at')
  await lab.json(['save', '001', '--json'])
  expect(await prompted()).toBe('')
  age(lab, 'saved_at')
  expect(await prompted()).toContain(NOTE)
  expect(talk(await shown(lab, '001')).join()).not.toContain('[cortext]')
})

/** Puts a time in the binding 70 minutes back. */
function age(lab: Lab, field: string): void {
  const folder = join(lab.root, '.git/cortext/bindings')
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith('.json'))!)
  const then = new Date(Date.now() - 70 * 60_000 - 10_000).toISOString()
  const text = readFileSync(file, 'utf8')
  expect(text).toContain(`"${field}"`)
  writeFileSync(file, text.replace(new RegExp(`("${field}": ?)"[^"]*"`), `$1"${then}"`))
}
