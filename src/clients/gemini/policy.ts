import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'

export const POLICY = '.gemini/cortext-policy.toml'

/**
 * The policy file with the calls that an agent may make without asking (0.61.0). The client matches a pattern against
 * all arguments of a tool call, as JSON with sorted keys. It puts NUL around each pair of the top level. No value can
 * contain NUL. So our pattern requires the command as the first pair. After it the pattern allows only pairs that do
 * not change how or where the command runs. The client asks about any other call.
 */
export function policyFile(): RenderedFile {
  const rules = PLAIN.map((words) => rule(`argsPattern = '''${call(words)}'''`))
  return {
    path: POLICY,
    content: `# Made by cortext: what an agent may run without asking.\n\n${rules.join('\n')}`,
  }
}

/** Every rule of the person has precedence: ours have the lowest priority, and are read last. */
function rule(pattern: string): string {
  const head = ['[[rule]]', 'toolName = "run_shell_command"']
  return [...head, pattern, 'decision = "allow"', 'priority = 0', ''].join('\n')
}

/** The pattern for all arguments of the tool call. `command` is the part of it that matches the command. */
function call(command: string): string {
  const others = '(?!description":|wait_for_previous":)'
  return `^\\x7b\\x00"command":"${command}"\\x00(?![^]*\\x00"${others})`
}

/**
 * Characters that the shell takes as they are. The client does not accept a repetition of a repetition. It looks for
 * one by the characters of the pattern, also inside a class. So this class names some characters by number: `( ) { } *
 * ? $ ~` and the backtick.
 */
const BARE = '[^\\x00"\'\\\\<>|&;!#\\[\\]\\x28\\x29\\x7b\\x7d\\x2a\\x3f\\x24\\x7e\\x60]*'

/** Calls with bare words. The last argument may be quoted, and then contains nothing that the shell would expand. */
const PLAIN = [
  `${AGENT_CALL} ${BARE}`,
  `${AGENT_CALL} ${BARE} '[^'\\x00]*'`,
  `${AGENT_CALL} ${BARE} \\\\"[^"\\\\\\x00\\x21\\x24\\x60]*\\\\"`,
]
