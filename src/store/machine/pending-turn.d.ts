import { Message } from '../../session/schema.ts';
import { type RecordRead } from '../record/index.ts';
/**
 * Writes a pending turn: one that goes into messages.jsonl next. It is written here first, as a whole, and from that
 * moment it has been said. If the process dies while appending it, readers see it here, and the next append adds the
 * lines that are missing.
 */
export declare function writePendingTurn(local: string, path: string, messages: readonly Message[]): void;
/** Call this when all of the turn is in messages.jsonl, or its conversation is deleted. Does nothing without a turn. */
export declare function removePendingTurn(local: string, path: string): void;
/** Whether a turn is on its way into the record. */
export declare function hasPendingTurn(local: string, path: string): boolean;
export interface RecordAndPendingTurn extends RecordRead {
    /** The pending turn. Its writer may still be appending it or may have died, so some of it may be among the lines. */
    turn: Message[];
}
/**
 * Reads the lines of a conversation and its pending turn as they were at one moment, without a lock. `known` lines are
 * read again only if their files have changed; `keepRaw` keeps them as they lie there too.
 */
export declare function readRecordAndPendingTurn(local: string, path: string, folder: string, known?: RecordRead, keepRaw?: boolean): RecordAndPendingTurn;
/** The file of a conversation's pending turn, whether or not there is one. */
export declare function pendingTurnFile(local: string, path: string): string;
