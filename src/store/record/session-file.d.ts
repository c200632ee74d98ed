import { SessionFile } from '../../session/schema.ts';
import type { Problem } from './problem.ts';
export interface SessionRead {
    session: SessionFile;
    problems: Problem[];
    /** False when a newer Cortext wrote the file. Such a file is shown, never written. */
    writable: boolean;
    /** Of a conflict only one side could be read: a person is at work on it, or something else is wrong. */
    halved?: true;
}
/**
 * Reads the session.json of a conversation folder; undefined when there is none. If git's conflict markers are in it,
 * both sides are read and joined (join-sides.ts) and the problem is reported; the next write repairs the file. Throws
 * `corrupt`, with the path and a fix, `unreadable` or `unsafe-path`.
 */
export declare function readSession(folder: string): SessionRead | undefined;
/**
 * Writes session.json atomically, with two spaces: the documented keys first, in their order, then unknown keys. An
 * unchanged file is not touched. Throws `newer-version` when `session`, or the file on disk, has a newer major version;
 * `disk-full`, `unwritable` or `unsafe-path`.
 */
export declare function writeSession(folder: string, session: SessionFile): void;
/** A value as the text of a session.json; undefined where it is none, or one of a newer major version. */
export declare function sessionText(value: unknown): string | undefined;
/**
 * Renames a session.json that cannot be read, so that the next write loses nothing of it. The new name is beside it.
 * Throws `unwritable`.
 */
export declare function setBrokenSessionAside(folder: string): void;
/** The JSON of a text; undefined where it is none. */
export declare function tryParse(text: string): unknown;
/**
 * The command that repairs a broken session.json: saving sets the file aside and writes a new one from what is known.
 */
export declare function mend(folder: string): string;
