import { type Fields } from '../../shared/transcript/fields.ts';
import type { Answer } from './answer.ts';
/** The id of a message, or null for the place before the first one. */
export type Place = string | null;
/**
 * Knows where each record stands in the talk. Claude Code links records by `parentUuid`, with its own bookkeeping
 * between them. With parallel tools the links form a graph and not a line: a result hangs on its own call, and what
 * follows hangs on only one of the results.
 */
export declare class Chain {
    #private;
    /** `liesBefore` tells whether a record with this uuid lies before the segment. */
    constructor(liesBefore: (uuid: string) => boolean);
    /** True when nothing was said yet. */
    get isEmpty(): boolean;
    has(uuid: string): boolean;
    /** The message that a record follows. A record without a parent continues the talk, unless it `mayBeginAnew`. */
    placeBefore(record: Fields, mayBeginAnew?: boolean): Place;
    /** Whether the links lead to the message that a record follows. Without links only the file's order tells. */
    isLinked(record: Fields): boolean;
    /** The answer that the parent of a record is part of, is a result for, or stands behind. */
    answerBefore(record: Fields): Answer | undefined;
    /** The uuid of the record before the segment that the links of a record lead to. */
    outsideOf(record: Fields): string | undefined;
    /** The place of what hangs on the record with this uuid; null for a record that was not read. */
    placeBehind(uuid: string): Place;
    /** Whether what follows `place` continues the talk. Otherwise the person went back. */
    continues(place: Place): boolean;
    /** Passes a record that says nothing by itself: it stands where its parent stands. */
    pass(record: Fields): void;
    /** Enters a record that is all or part of `message`, which is now the last one. `answer` is as in `answerBefore`. */
    enter(record: Fields, message: string, answer?: Answer): void;
}
