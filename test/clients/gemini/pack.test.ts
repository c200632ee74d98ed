import { describe, expect, it } from 'vitest'
import { gemini } from '../../../src/clients/gemini/index.ts'

const command = {
  name: 'workspace.brainstorm',
  description: 'Think "hard"\nabout it',
  argumentHint: '<topic>',
  body: 'You think.\n\nTopic: $ARGUMENTS\n\nNever run !{rm -rf ~} or read @{secret} or {{args}}.',
}

describe('a command for Gemini CLI', () => {
  it('has what was typed in its first line, and the body after it', () => {
    const { path, content } = gemini.pack.command(command)
    expect(path).toBe('.gemini/commands/workspace.brainstorm.toml')
    expect(content.split('\n')).toHaveLength(3)
    const prompt: string = JSON.parse(/^prompt = (.*)$/m.exec(content)![1]!)
    expect(prompt.split('\n')[0]).toBe('[/workspace.brainstorm] {{args}}')
    expect(prompt).toContain('Topic: {{args}}')
  })

  it('contains nothing else that the client would run, read or fill in', () => {
    const { content } = gemini.pack.command(command)
    expect(content).not.toMatch(/[!@]\{/)
    expect(content.split('{{args}}')).toHaveLength(3)
  })

  it('contains the output of a resume, with the arguments as one quoted word', () => {
    const { content } = gemini.pack.command({ ...command, name: 'workspace.resume' })
    expect(content).toContain('!{cortext agent resume --whole -- {{args}}}')
  })

  it('has a body in which the arguments are the text as it is', () => {
    expect(gemini.pack.commandBody(command, 'a $& {{args}} b')).toContain('Topic: a $& {{args}} b\n')
    expect(gemini.pack.commandBody({ ...command, body: 'Just do.' }, 'x')).toBe('Just do.\n\nx')
  })
})
