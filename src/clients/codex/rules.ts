import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

const RULES = '.codex/rules/cortext.rules'

/**
 * The rule by which the agent's calls of ours leave the sandbox, where `.git` cannot be written, without a question
 * (0.169.0). The client holds it against the words of a command line with which the shell would do nothing else. Without
 * the list of paths, which is empty, it would hold the rule against a path by its last name too: a program `cortext`
 * that the agent has written into the project would run outside of the sandbox.
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
