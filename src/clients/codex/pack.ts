import type { PackCommand, RenderedFile } from '../contract/pack.ts'

/** The name by which a person calls a command: Codex knows no dots in the names of skills (0.169.0). */
export function typedName(name: string): string {
  return name.replaceAll('.', '-')
}

export function renderCommand({ name, description, body }: PackCommand): RenderedFile {
  const head = `---\nname: ${typedName(name)}\ndescription: ${JSON.stringify(description)}\n---\n`
  return { path: `.agents/skills/${typedName(name)}/SKILL.md`, content: `${head}\n${body.trim()}\n` }
}

export function commandBody(command: PackCommand, args: string): string {
  const body = command.body.trim()
  if (body.includes('$ARGUMENTS')) return body.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? body : `${body}\n\nARGUMENTS: ${args}`
}
