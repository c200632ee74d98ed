import { type Source } from '../../journeys/finding/search.ts';
import type { Message } from '../../session/schema.ts';
import type { Workspace } from '../../workspace/open.ts';
/** What was said and done in one file of a conversation's record: the talk itself, its archive, or a subagent. */
export interface Told {
    source: Source;
    /** Below the conversation's folder; '' for what is not saved yet. */
    file: string;
    messages: readonly Message[];
}
/** A message, and how to open it. */
export interface Place {
    source: Source;
    message: Message;
    /** The time in ms. */
    time: number;
    /** What the person had asked for in that turn, '' where nothing is known. */
    asked: string;
    /** What the agent said in that turn up to there, '' for nothing. */
    said: string;
    /** `cortext show <id> --at <at>` shows it; undefined for a message that show does not have. */
    at?: string;
    /** The file below the conversation that holds it, for one that show does not have. */
    file?: string;
}
/** All conversations of a workspace, archived ones too, the oldest first, so that a fork comes after what it copied. */
export declare function allSources(ws: Workspace): Promise<Source[]>;
/**
 * What was said in the conversations of which at least one line matches. The records are looked through first, and only
 * those that match are read. One that cannot be read is passed over.
 */
export declare function toldIn(sources: readonly Source[], pattern: RegExp): Told[];
/** All that was said in a conversation, file by file. */
export declare function allTold(source: Source): Told[];
/** A message with what was said around it. */
export declare function placeOf({ source, file, messages }: Told, index: number): Place;
