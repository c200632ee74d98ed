import type { RenderedFile } from '../contract/pack.ts'
import { ALLOWED_CALLS } from '../setup/allowed-calls.ts'

export const POLICY = '.gemini/cortext-policy.toml'

/** The calls that are given a text, and the word that ends the text. */
const WITH_TEXT: [string, string][] = [
  ['cortext start [a-z][a-z0-9-]* --title-stdin', 'CORTEXT_TITLE'],
  [
    'cortext (stop|stop --complete|stop --no-commit|stop --complete --no-commit) --summary-stdin',
    'CORTEXT_SUMMARY',
  ],
  ['cortext (resume --here|resume --here --force) --query-stdin', 'CORTEXT_QUERY'],
]

/**
 * The policy file with the calls that need no yes (0.61.0). A prefix allows no redirection, and the client takes a
 * here-document for one. So calls with a here-document are allowed by their whole form, which has no room for a second
 * command.
 */
export function policyFile(): RenderedFile {
  const rules = [
    rule(100, [`commandPrefix = ${JSON.stringify(ALLOWED_CALLS)}`]),
    // This rule comes before the prefix, which matches too and would ask because of the redirection.
    ...WITH_TEXT.map(([call, end]) =>
      rule(110, [`commandRegex = '''${hereDocument(call, end)}'''`, 'allowRedirection = true']),
    ),
  ]
  return {
    path: POLICY,
    content: `# Made by cortext: what an agent may run without asking.\n\n${rules.join('\n')}`,
  }
}

function rule(priority: number, lines: string[]): string {
  const head = ['[[rule]]', 'toolName = "run_shell_command"']
  return [...head, ...lines, 'decision = "allow"', `priority = ${priority}`, ''].join('\n')
}

/**
 * Makes a pattern for the call as JSON, to its closing quote. No line of the text may be empty or begin with the first
 * letter of the word that ends it, so nothing can stand behind the end. For a text with such a line the client asks.
 */
function hereDocument(call: string, end: string): string {
  const lineBegin = '(\\\\[^n]|[^"C\\\\])'
  const anything = '(\\\\[^n]|[^"\\\\]|\\\\n\\\\[^n]|\\\\n[^"C\\\\])*'
  return `${call} <<'${end}'\\\\n${lineBegin}${anything}\\\\n${end}"`
}
