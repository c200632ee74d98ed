/** What the two ends of a session file tell about all of it, for a list to choose from. */
export declare function readHeading(head: Uint8Array, tail: Uint8Array): {
    nativeId: string;
    title: string;
    isMain: boolean;
    said: boolean;
};
