import { type BigIntStats } from 'node:fs';
import { type AtomicWriteOptions } from './atomic-write.ts';
/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Files that somebody else may have made: a workspace can come from a stranger's repository. Each is named by a root,
 * which the person chose and which may be reached through links, and a path below it, with forward slashes. What is
 * read lies where its name says, is a regular file and not too large; what is written lands where its name says.
 * Otherwise every function here throws `unsafe-path`, with the path, and touches nothing.
 *
 * A path is checked and then used. A clone lies still, so that is enough for it; a program that swaps folders for links
 * at that very moment can do by itself whatever it could make us do.
 */
/** The most bytes of a file that is read as a whole. Ours have a few thousand. */
export declare const MOST_TEXT: number;
/** The most bytes of a file of lines, an attachment or a document. A string can hold twice as much. */
export declare const MOST_LINES: number;
/** The absolute path of something inside, which need not be there. No part of the way may be a link. */
export declare function placeInside(root: string, path: string): string;
/** The stats of a regular file or a folder; undefined when there is nothing. */
export declare function statInside(root: string, path: string): BigIntStats | undefined;
export declare function isFileInside(root: string, path: string): boolean;
/** Opens a regular file of at most `most` bytes for reading; undefined when there is none. The caller closes it. */
export declare function openInside(root: string, path: string, most?: number): number | undefined;
/** The bytes of a file; undefined when there is none. Throws `unreadable` too. */
export declare function readBytesInside(root: string, path: string, most?: number): Buffer | undefined;
/** The text of a file; undefined when there is none. Throws `unreadable` too. */
export declare function readInside(root: string, path: string): string | undefined;
/**
 * The text of a file wherever it lies, links followed: the person's own settings may be links. It must be a regular file
 * of at most MOST_TEXT bytes. Undefined when there is none.
 */
export declare function readRegular(path: string): string | undefined;
/** The names in a folder that end in `suffix`, without hidden ones; none when there is no such folder. */
export declare function listInside(root: string, path: string, suffix: string): string[];
/** Replaces a file as a whole, and makes its folders if needed. Throws `disk-full` and `unwritable` too. */
export declare function writeInside(root: string, path: string, content: string | Uint8Array, options?: Pick<AtomicWriteOptions, 'mode'> & {
    folderMode?: number;
}): void;
/**
 * Opens a file for reading and for writing at its end; the file and its folders are made if needed. The caller closes
 * it. Throws `unwritable` too.
 */
export declare function openToAppendInside(root: string, path: string): number;
/** Copies a file of at most MOST_LINES bytes; does nothing when there is none. */
export declare function copyInside(from: Inside, to: Inside): void;
export interface Inside {
    root: string;
    path: string;
}
/** Gives a file another name in its folder, whatever kind of file it is. Throws `unwritable` too. */
export declare function renameInside(root: string, path: string, name: string): void;
/**
 * Removes a file, or a folder with everything in it; a link that lies in it goes, and what it means stays. Does nothing
 * when there is nothing. Throws `unwritable` too.
 */
export declare function removeInside(root: string, path: string, options?: {
    recursive?: true;
}): void;
/** Removes a folder if nothing is in it. */
export declare function removeEmptyInside(root: string, path: string): void;
/** Whether this can be a path inside: relative, with no part that is empty, climbs, or leads into git's own folder. */
export declare function isInside(path: string): boolean;
