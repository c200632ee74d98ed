import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

const RULES = '.codex/rules/cortext.rules'

/**
 * The rule that lets our calls run outside the sandbox without asking. In the sandbox no program can write `.git`
 * (0.169.0). The client compares the rule with a command line only if that line is nothing but plain words. Without the
 * empty list of paths, the rule would also match any path that ends in `/cortext`. The agent could then write such a
 * program into the project and run it outside the sandbox.
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
