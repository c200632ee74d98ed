import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

const RULES = '.codex/rules/cortext.rules'

/**
 * The rule that lets our calls leave the sandbox without a question. In the sandbox `.git` cannot be written (0.169.0).
 * The client matches the rule with the words of a command line, if the shell would do nothing else with that line.
 * Without the empty list of paths the rule would also match a path whose last name is `cortext`: such a program,
 * written into the project by the agent, would run outside of the sandbox.
 */
export function rulesFile(): RenderedFile {
  const words = AGENT_CALL.split(' ').map((word) => JSON.stringify(word))
  const [name] = words
  return {
    path: RULES,
    content: `# Made by cortext: what an agent may run without asking, and outside of the sandbox.

# Only the program that PATH finds, and none that is called by its path.
host_executable(name = ${name}, paths = [])
prefix_rule(pattern = [${words.join(', ')}], decision = "allow")
`,
  }
}
