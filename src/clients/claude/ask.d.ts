import type { AskSpec, Question } from '../contract/questions.ts';
/**
 * Runs `claude -p` without tools, MCP servers, hooks, slash commands and the settings of any project, and without a
 * session of its own (2.1.197, 2.1.330). Pure.
 */
export declare function ask({ system, user }: Question): AskSpec;
