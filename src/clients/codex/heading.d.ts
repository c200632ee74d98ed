/** What the two ends of a rollout tell about all of it, for a list to choose from. */
export declare function readHeading(head: Uint8Array, tail: Uint8Array): {
    meta: {
        /** The thread that the file belongs to. */
        thread: string;
        isSubagent: boolean;
        cwd: string;
    } | undefined;
    title: string;
    said: boolean;
};
/** The thread that a rollout belongs to: that of the file's own first line, not of one that it goes on from. */
export declare function sessionId(bytes: Uint8Array): string | undefined;
/** The thread that started a subagent, as the first line of the subagent's rollout names it. */
export declare function subagentOf(bytes: Uint8Array): string | undefined;
