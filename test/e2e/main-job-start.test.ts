import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CLAUDE_VERSIONS } from './install.ts'
import { bash } from './reply.ts'
import { openWorkspaceLab, quotable, saidIn } from './workspace-lab.ts'

/** What a person may type, and neither a shell, sed nor a file name survives unguarded. */
const TITLE = `REST/GraphQL "v2" & $(touch x) it's`
const TYPED = `/workspace.brainstorm ${TITLE}`

describe.each(CLAUDE_VERSIONS)('Claude Code %s: a conversation begins', (version) => {
  // promise: a conversation begins; from here on everything is recorded
  it.each(['headless', 'in a terminal'])(
    'E-2 E-4: makes one conversation with exactly the title that was typed, %s',
    async (way) => {
      await using lab = await openWorkspaceLab({ version })
      if (way === 'headless') await lab.headless([TYPED])
      else {
        const terminal = await lab.interactive()
        await terminal.submit(TYPED)
        await terminal.waitFor('Scripted answer 1.')
        await lab.leave(terminal)
      }
      expect(lab.conversations().map((path) => path.split('/').at(-1))).toEqual([
        '001-brainstorm-rest-graphql-v2-touch-x-its',
      ])
      expect(lab.session()).toMatchObject({ title: TITLE, status: 'paused', message_count: 2 })
      expect(saidIn(lab.messages())).toEqual([`user: ${TYPED}`, 'assistant: Scripted answer 1.'])
      for (const folder of [lab.project, lab.home, join(lab.project, lab.conversations()[0]!)])
        expect(existsSync(join(folder, 'x'))).toBe(false)
    },
  )
})

describe('an agent that opens the conversation although the hook has done it', () => {
  it('S0-D5b: is told of the one that is open, and none is made', async () => {
    await using lab = await openWorkspaceLab()
    const start = bash(`cortext agent start brainstorm --title "${quotable(TITLE)}"`)
    lab.model.when('Topic:', start, 'It is open.')
    await lab.headless([TYPED])
    expect(lab.conversations()).toHaveLength(1)
    expect(lab.session().title).toBe(TITLE)
  })
})
