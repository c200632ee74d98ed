import type { Message } from './schema.ts';
/**
 * Makes a summary from the record itself, for a conversation that ended without one: the earlier summary, then what was
 * said last. '' if nothing was said. Leaves out control turns: a stop or resume that an agent did not carry out says
 * nothing about the conversation.
 */
export declare function mechanicalSummary(messages: readonly Message[], earlier?: string): string;
/** The same, from the beginning of what was asked last. */
export declare function summaryWith(asked: string, earlier?: string): string;
/** What somebody wrote of a summary: all but the words that were said last. */
export declare function withoutLastSaid(summary: string): string;
/** The beginning of what the person asked last; '' if nothing was asked. */
export declare function lastAsked(messages: readonly Message[]): string;
