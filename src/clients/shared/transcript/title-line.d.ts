/** The first line of a text, cut to 120 characters: a native session's title in a list. */
export declare function titleLine(text: string): string;
