/**
 * The calls that an agent may make without asking the person: the verbs of `cortext agent`, which read conversations and
 * record the agent's own one, and refuse every option that does more (src/cli/agent-verbs.ts). Each client's rules allow
 * exactly this one form, followed by plain arguments. The plugin that OpenCode loads contains this file, so it imports
 * nothing.
 */
export declare const AGENT_CALL = "cortext agent";
/** The calls that are given a text, each by a quoted here-document, and the word that ends the text. */
export declare const CALLS_WITH_TEXT: readonly [call: string, end: string][];
