export interface Sides {
    ours: string;
    theirs: string;
    /** The 1-based line of the first marker, and its length in bytes. */
    line: number;
    bytes: number;
}
/**
 * Both versions of a text in which git left conflict markers (gitattributes(5), also `diff3`). Undefined when the text
 * has no such markers.
 */
export declare function splitConflict(text: string): Sides | undefined;
