/**
 * The byte offset of the line with which the running turn begins, or the end if none runs: Codex writes where a turn
 * begins and where it ends (0.169.0).
 */
export declare function turnStart(bytes: Uint8Array): number;
