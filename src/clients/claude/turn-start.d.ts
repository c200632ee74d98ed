/**
 * The byte offset where the running turn begins: at the last prompt without a final answer behind it, or at the first
 * thing that the model did since the last end of a turn. It is the end of the transcript when there is neither, because
 * then the prompt of the running turn is not written yet.
 */
export declare function turnStart(bytes: Uint8Array): number;
