export interface Line {
    /** The line without its line break, carriage return and byte order mark. */
    text: string;
    /** 1-based. */
    number: number;
    /** The length of the line in the file, with its line break. */
    bytes: number;
    /** Whether a line break ends it: only the last line of a file may lack one. */
    whole: boolean;
    bom: boolean;
    crlf: boolean;
}
/**
 * The lines of a file of the record, one after another; `path` lies below the conversation's folder. Memory holds one
 * megabyte and the longest line. A missing file has no lines. Throws `unreadable` and `unsafe-path`.
 */
export declare function readLines(folder: string, path: string): Generator<Line>;
/** The lines that `readRawLines` has read. */
export declare function parseLines(raw: readonly Buffer[]): Generator<Line>;
/** The lines of a file as bytes, just as they lie there. Only the last one may lack its line break. */
export declare function readRawLines(folder: string, path: string): Buffer[];
