/** The names in a folder that end in `suffix`, without hidden ones; none when there is no such folder. */
export declare function listNames(folder: string, suffix: string): string[];
/** The names in a folder that end in `suffix`, with hidden ones; none when there is no such folder. */
export declare function listAllNames(folder: string, suffix: string): string[];
