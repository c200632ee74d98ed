import type { Message } from '../session/schema.ts';
/**
 * The tokens of all that was said: an estimate (context/tokens/index.ts). What was taken back or cleared counts, because
 * it counts as a message as well; events do not.
 */
export declare function tokensOf(messages: readonly Message[]): number;
