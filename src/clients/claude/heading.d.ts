/** What the two ends of a transcript tell about all of it, for a list to choose from. */
export declare function readHeading(head: Uint8Array, tail: Uint8Array): {
    cwd: string;
    title: string;
    isSidechain: boolean;
};
/** The session that a subagent's transcript belongs to: all of its records are a side chain. */
export declare function subagentOf(bytes: Uint8Array): string | undefined;
