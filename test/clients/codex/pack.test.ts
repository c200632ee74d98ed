import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { pack } from '../../../src/clients/codex/pack.ts'
import { loadCommand } from '../../../src/workspace/pack/commands.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const commands = readdirSync(`${ROOT}/commands`)
  .filter((name) => name.startsWith('workspace.'))
  .map((name) => loadCommand(ROOT, name.replace(/\.md$/, '')).command)

describe('the skills of Codex CLI', () => {
  it.each(commands)(
    '$name: give every text in quotes, name no slash command, and say where the arguments are',
    (one) => {
      const { path, content } = pack.command(one)
      const name = one.name.replaceAll('.', '-')
      expect(path).toBe(`.codex/skills/${name}/SKILL.md`)
      expect(content).toContain(`\nname: ${name}\n`)
      expect(content).not.toMatch(/-stdin|<<|\$ARGUMENTS|(?<![\w.>])\/workspace\./)
      expect(content).toContain(`(the text after \`$${name}\` in their message)`)
    },
  )

  it('say that the calls must stand alone, to be made outside of the sandbox', () => {
    for (const name of ['workspace.brainstorm', 'workspace.stop-conversation', 'workspace.resume'])
      expect(pack.commandBody(commands.find((one) => one.name === name)!, 'x')).toMatch(
        /Run each call of cortext as it is, alone: .*\.$/,
      )
  })

  it('leave paths alone that contain the same words', () => {
    expect(
      pack.commandBody(
        {
          name: 'x',
          description: '',
          argumentHint: '',
          body: 'Read .workspace/commands/workspace.plan.md and `/workspace.plan`',
        },
        '',
      ),
    ).toBe('Read .workspace/commands/workspace.plan.md and `$workspace-plan`')
  })
})
