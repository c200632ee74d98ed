import type { Message } from './schema.ts';
/** Splits what was said into turns: a message of the person and the answers to it. */
export declare function turnsOf(messages: readonly Message[]): Message[][];
/** Whether a turn has its begin: messages that no prompt begins are the end of one that began before. */
export declare function beginsAsked([first]: readonly Message[]): boolean;
/**
 * Whether this is a control turn: one that stopped or resumed a conversation. Control turns belong to no conversation.
 */
export declare function isControlTurn(turn: readonly Message[]): boolean;
/** Whether a person typed the command that stops or resumes. */
export declare function isOwnCommand(message: Message | undefined): boolean;
/** Whether a control turn stopped a conversation; otherwise it resumed one. */
export declare function isStopTurn(turn: readonly Message[]): boolean;
/**
 * What was said after a resume: everything from the first turn on that is not a control turn. What lies before it are the
 * turns that resumed, with the context that they brought. Empty when nothing was said.
 */
export declare function afterResume(messages: readonly Message[]): Message[];
/**
 * A rewind may lead to a message of a control turn, which no conversation holds. Then this gives the last message
 * before that turn; otherwise it gives `to` itself.
 */
export declare function besideControlTurns(messages: readonly Message[], to: string | null): string | null;
/** What was typed, as a slash command: where a client has none of one's own, ours are skills, `$workspace-resume`. */
export declare function asSlashCommand(typed: string): string;
