import type { PackCommand, PromptPack, RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { fillIn, markdownFile } from '../shared/setup/command-file.ts'

/**
 * The folder of the skills. Only Codex CLI reads this folder. Codex CLI also reads `.agents/skills` (0.169.0), but so
 * do OpenCode (1.18.33) and Gemini CLI (0.61.0): they would offer each command a second time.
 */
const SKILLS = '.codex/skills'

export const pack: PromptPack = {
  folders: [SKILLS, '.codex/rules'],
  // The model receives the whole file when the person types `$<name>`.
  command(command) {
    const name = skillName(command.name)
    const head = { name, description: JSON.stringify(command.description) }
    return markdownFile(`${SKILLS}/${name}/SKILL.md`, head, commandBody(command, argumentsOf(name)))
  },
  // Keeps a skill for the person: the client does not offer it to the model.
  extraFiles: ({ name }) => [
    {
      path: `${SKILLS}/${skillName(name)}/agents/openai.yaml`,
      content:
        '# Made by cortext: this skill is for the person to call.\npolicy:\n  allow_implicit_invocation: false\n',
    },
  ],
  files: () => [rulesFile()],
  commandBody,
  typed,
}

/** The name that a person types after the `$`. It has no dots, because a dot would end the name: `workspace-resume`. */
function skillName(command: string): string {
  return command.replaceAll('.', '-')
}

/** How a person calls a skill. */
export function typed(command: string): string {
  return `$${skillName(command)}`
}

/** The text of a skill with the arguments filled in. */
function commandBody({ body }: PackCommand, args: string): string {
  return fillIn(withAdvice(asTyped(body.trim())), args)
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

/**
 * The rule that lets our calls run outside the sandbox without asking. In the sandbox no program can write `.git`
 * (0.169.0). The client compares the rule with a command line only if that line is nothing but plain words. Without the
 * empty list of paths, the rule would also match any path that ends in `/cortext`. The agent could then write such a
 * program into the project and run it outside the sandbox.
 */
function rulesFile(): RenderedFile {
  const words = AGENT_CALL.split(' ').map((word) => JSON.stringify(word))
  const [name] = words
  return {
    path: '.codex/rules/cortext.rules',
    content: `# Made by cortext: what an agent may run without asking, and outside of the sandbox.

# Only the program that PATH finds, and none that is called by its path.
host_executable(name = ${name}, paths = [])
prefix_rule(pattern = [${words.join(', ')}], decision = "allow")
`,
  }
}
