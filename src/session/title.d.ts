import type { Message } from './schema.ts';
/** The title of a conversation that was started without one, until its first words give a better one. */
export declare const DEFAULT_TITLE = "Untitled";
/**
 * Makes a title from the person's first request: one line, cut between words near 50 characters. A slash command
 * gives its arguments; a mere "hi" or "fix" gives no title (E-25). Undefined while nothing fit was said.
 */
export declare function titleFrom(messages: readonly Message[]): string | undefined;
/**
 * `/workspace.brainstorm topic`, `$workspace-brainstorm topic` → `topic`. A command ends in a space or the end of the
 * text, so that a path does not count as one.
 */
export declare function withoutCommand(text: string): string;
