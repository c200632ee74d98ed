import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ClientsLab, openClients } from './clients-lab.ts'
import { keepFromClaude } from './kept.ts'
import { allText, toolResults } from './model-request.ts'
import { RESUME_BODY, resumeInSession } from './workspace-lab.ts'

/** What a shell would look at, on two lines, around words that name a conversation. */
const TYPED = `it's the "orchard" \`touch y\` $(touch y) ; touch y && <b> !touch ünï \\\nplan`

const CLIENTS = ['claude', 'opencode', 'codex'] as const

describe('a query with all that shells look at', () => {
  let lab: ClientsLab<(typeof CLIENTS)[number] | 'gemini'>
  beforeAll(async () => {
    lab = await openClients(...CLIENTS, 'gemini')
    await keepFromClaude(lab, "It's the orchard ünï plan", [['Topic is apples', 'I see apples.']])
  })
  afterAll(() => lab.close())

  it.each(CLIENTS)('S1-003d E-4: finds the conversation in %s, and nothing of it is run', async (id) => {
    const client = lab[id]
    lab.model.script((request) => {
      const given = [allText(request), ...toolResults(request)].join('\n')
      if (given.includes('[RESUMED CONVERSATION]')) return '[Resuming "It\'s the orchard"] We were at it.'
      return given.includes(RESUME_BODY) ? client.shell(resumeInSession(TYPED)) : undefined
    })
    const done = await client.headless('workspace.resume', TYPED)
    expect(done.stdout, done.stderr).toContain('We were at it.')
    for (const folder of [lab.project, lab.home]) expect(existsSync(join(folder, 'y'))).toBe(false)
  })

  it('S1-003d E-4: finds the conversation in gemini, or the client refuses to run anything', async () => {
    lab.model.script((request) =>
      allText(request).includes('[RESUMED CONVERSATION]') ? 'We were at it.' : undefined,
    )
    // Here the client itself makes the call, with what was typed as one quoted word.
    const done = await lab.gemini.headless('workspace.resume', "it's the orchard ; touch y && <b> ünï plan")
    expect(done.stdout, done.stderr).toContain('We were at it.')
    const refused = await lab.gemini.headless('workspace.resume', TYPED)
    expect(refused.stderr).toContain('workspace.resume cannot be run. Blocked command')
    for (const folder of [lab.project, lab.home]) expect(existsSync(join(folder, 'y'))).toBe(false)
  })
})
