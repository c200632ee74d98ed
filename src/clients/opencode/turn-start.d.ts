/**
 * The byte offset of the record with which the running turn begins: the last prompt without a final answer behind it.
 * It is the end of the transcript when every prompt is answered.
 */
export declare function turnStart(bytes: Uint8Array): number;
