/** Removes a folder if nothing is in it. */
export declare function rmdirIfEmpty(folder: string): void;
