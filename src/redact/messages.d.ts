import type { Message } from '../session/schema.ts';
/**
 * Redacts everything that was said or done in the messages; ids and times stay. Adds to `found`, by kind, how many
 * secrets there were.
 */
export declare function redactMessages(messages: readonly Message[], found: Record<string, number>): Message[];
