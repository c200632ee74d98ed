import { type Message, SessionFile } from '../schema.ts';
/**
 * The conversations that lie in one folder, the oldest first: one, unless git has merged several that began under one
 * name. They are told by session.json, and where a merge has kept that of one side alone, by the lines. Lines without an
 * origin make no conversation of their own: they are older than origins are.
 */
export declare function conversationsIn(path: string, session: SessionFile, lines: readonly Message[]): SessionFile[];
/** The places in `conversations` of those that a line belongs to. A line that does not say is where `before` is. */
export declare function ownersOf(conversations: readonly SessionFile[], line: Message | undefined, before: readonly number[]): readonly number[];
/** Where a conversation lies that has to leave its folder: every clone gives it the same name. */
export declare function apartPath(path: string, origin: string): string;
/** The folder that a conversation with this origin has left, if its path says so. */
export declare function leftPath(path: string, origin: string): string | undefined;
