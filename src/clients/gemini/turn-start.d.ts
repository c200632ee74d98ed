/**
 * The byte offset of the record with which the running turn begins: the last prompt without a final answer behind it,
 * or the end if there is none. 0.61.0 writes a tool call when it has ended, so without our hooks an answer whose tool
 * still runs looks like a final one, and counts as one. Where a hook has `noted` the begin of a turn, the last prompt
 * from there on counts, whatever its answer looks like.
 */
export declare function turnStart(bytes: Uint8Array, noted?: number): number;
