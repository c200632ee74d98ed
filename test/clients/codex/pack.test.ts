import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { commandBody, renderCommand } from '../../../src/clients/codex/pack.ts'
import { loadCommand } from '../../../src/workspace/pack/commands.ts'

const ROOT = new URL('../../..', import.meta.url).pathname
const pack = readdirSync(`${ROOT}/commands`)
  .filter((name) => name.startsWith('workspace.'))
  .map((name) => loadCommand(ROOT, name.replace(/\.md$/, '')).command)

describe('the skills of Codex CLI', () => {
  it.each(pack)(
    '$name: give every text in quotes, name no slash command, and say where the arguments are',
    (one) => {
      const { path, content } = renderCommand(one)
      const name = one.name.replaceAll('.', '-')
      expect(path).toBe(`.codex/skills/${name}/SKILL.md`)
      expect(content).toContain(`\nname: ${name}\n`)
      expect(content).not.toMatch(/-stdin|<<|\$ARGUMENTS|(?<![\w.>])\/workspace\./)
      expect(content).toContain(`(the text after \`$${name}\` in their message)`)
    },
  )

  it('have the calls as they can be made outside of the sandbox', () => {
    const body = (name: string) => commandBody(pack.find((one) => one.name === name)!, 'x')
    expect(body('workspace.brainstorm')).toContain(
      "\ncortext agent start brainstorm --title '<the topic, exactly as typed>'\n",
    )
    expect(body('workspace.brainstorm')).toContain("`cortext agent stop --complete --summary '…'`")
    expect(body('workspace.stop-conversation')).toContain("\ncortext agent stop --summary '<the summary>'\n")
    expect(body('workspace.resume')).toMatch(
      /\ncortext agent resume --query '<what they typed, exactly; .*>'\n/,
    )
  })

  it('leave paths alone that contain the same words', () => {
    expect(
      commandBody(
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
