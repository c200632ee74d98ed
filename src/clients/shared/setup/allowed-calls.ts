/**
 * The call that an agent may make without asking the person. The verbs of `cortext agent` read conversations and record
 * the agent's own conversation. They refuse every option that does more (src/cli/agent-verbs.ts). Each client's rules
 * allow these words followed by plain arguments; some allow a here-document too. The plugin that OpenCode loads
 * contains this file, so it imports nothing.
 */
export const AGENT_CALL = 'cortext agent'

/** Patterns of the calls that get a text in a quoted here-document, each with the word that ends the text. */
export const CALLS_WITH_TEXT: readonly [call: string, end: string][] = [
  [`${AGENT_CALL} start [a-z][a-z0-9-]* --title-stdin`, 'CORTEXT_TITLE'],
  [
    `${AGENT_CALL} (stop|stop --complete|stop --no-commit|stop --complete --no-commit) --summary-stdin`,
    'CORTEXT_SUMMARY',
  ],
  [`${AGENT_CALL} (resume|resume --force) --query-stdin`, 'CORTEXT_QUERY'],
]
