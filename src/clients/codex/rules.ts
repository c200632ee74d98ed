import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

const RULES = '.codex/rules/cortext.rules'

/**
 * The rule that lets our calls run outside of the sandbox without a question, because no program in the sandbox can
 * write `.git` (0.169.0). The client compares the rule with the words of a command line, but only if the shell would do
 * nothing else with that line. Without the empty list of paths the rule would also match a path that ends in
 * `/cortext`. Then the agent could write a program of that name into the project and run it outside of the sandbox.
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
