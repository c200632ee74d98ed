import type { AskSpec, Question } from '../contract/questions.ts';
/**
 * Runs `codex exec` with its prompt on stdin, without tools, hooks, plugins and rules, in a sandbox that may only read,
 * and without a thread of its own (0.169.0). What the person has set stays, for it says which model to ask and how; so
 * each MCP server in it is turned off by its name: a table with none would be merged and change nothing. Pure.
 */
export declare function ask({ system, user, mcpServers }: Question): AskSpec;
