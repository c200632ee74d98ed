/** How much there was to look through. */
export interface Looked {
    lines: number;
    characters: number;
}
/**
 * Tells the lines of a file below a conversation's folder in which a pattern (`g`, nothing in it is empty or a line
 * break) matches, with their numbers from 0. It is looked for in the plain text, and told is the plain line
 * (text/plain.ts), in which signs beyond ASCII are whole only where `signs` are looked for. A missing file has no lines.
 * The file is read in small pieces, because memory that is used again costs a fraction of what new memory costs. Throws
 * `unreadable` and `unsafe-path`.
 */
export declare function eachMatchingLine(folder: string, path: string, pattern: RegExp, tell: (line: string, number: number) => void, { signs }?: {
    signs?: boolean | undefined;
}): Looked;
/** The lines with these numbers, as they are in the file. Throws what eachMatchingLine throws. */
export declare function linesAt(folder: string, path: string, numbers: ReadonlySet<number>): Map<number, string>;
