/**
 * The call that an agent may make without asking the person. The verbs of `cortext agent` read conversations and record
 * the agent's own conversation. They refuse every option that does more (src/cli/agent-verbs.ts). Each client's rules
 * allow these words followed by plain arguments, the last of which may be in double quotes. So a call is the same in
 * sh, PowerShell and cmd. The plugin that OpenCode loads contains this file, so it imports nothing.
 */
export const AGENT_CALL = 'cortext agent'
