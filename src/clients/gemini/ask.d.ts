import type { AskSpec, Question } from '../contract/questions.ts';
/**
 * Runs `gemini` with its prompt on stdin, without tools, MCP servers, extensions and hooks (0.61.0). The settings of
 * the empty folder turn these off, and the folder is trusted for this call alone. Pure.
 */
export declare function ask({ system, user }: Question): AskSpec;
