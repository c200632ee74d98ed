import type { PackCommand, RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

/**
 * The folder of the skills. Only Codex CLI reads this folder. Codex CLI also reads `.agents/skills` (0.169.0), but so
 * do OpenCode (1.18.33) and Gemini CLI (0.61.0): they would offer each command a second time.
 */
export const SKILLS = '.codex/skills'

/** The name that a person types after the `$`. It has no dots, because a dot would end the name: `workspace-resume`. */
function skillName(command: string): string {
  return command.replaceAll('.', '-')
}

/** How a person calls a skill. */
export function typed(command: string): string {
  return `$${skillName(command)}`
}

/** Renders `.codex/skills/<name>/SKILL.md`. The model receives the whole file when the person types `$<name>`. */
export function renderCommand(command: PackCommand): RenderedFile {
  const name = skillName(command.name)
  // Every JSON string is a YAML string.
  const head = ['---', `name: ${name}`, `description: ${JSON.stringify(command.description)}`, '---', '']
  return {
    path: `${SKILLS}/${name}/SKILL.md`,
    content: `${head.join('\n')}\n${commandBody(command, argumentsOf(name))}\n`,
  }
}

/** Keeps a skill for the person: the client does not offer it to the model. */
export function skillPolicy({ name }: PackCommand): RenderedFile[] {
  return [
    {
      path: `${SKILLS}/${skillName(name)}/agents/openai.yaml`,
      content:
        '# Made by cortext: this skill is for the person to call.\npolicy:\n  allow_implicit_invocation: false\n',
    },
  ]
}

/** The text of a skill with the arguments filled in. */
export function commandBody({ body }: PackCommand, args: string): string {
  const text = withAdvice(asTyped(body.trim()))
  if (text.includes('$ARGUMENTS')) return text.replaceAll('$ARGUMENTS', () => args)
  return args === '' ? text : `${text}\n\n${args}`
}

/**
 * What a skill says in place of the arguments. The client fills nothing in: the arguments are in the person's own
 * message.
 */
function argumentsOf(name: string): string {
  return `(the text after \`$${name}\` in their message)`
}

/**
 * Replaces each `/workspace.x` in the text by what a person types in Codex CLI, `$workspace-x`. Paths stay as they are:
 * something comes before their slash.
 */
function asTyped(text: string): string {
  return text.replace(/(?<![\w.>/-])\/workspace\.(?=[a-z<])/g, () => '$workspace-')
}

/** What a model must know about our calls here: a rule lets only plain ones out of the sandbox (0.169.0). */
const ALONE =
  'Run each call of cortext as it is, alone: with a pipe, a redirection or a here-document it runs in the sandbox, where it cannot save.'

function withAdvice(text: string): string {
  return text.includes(AGENT_CALL) ? `${text}\n\n${ALONE}` : text
}
