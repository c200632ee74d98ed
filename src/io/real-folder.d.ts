/**
 * The absolute path of a folder, with its links resolved. A folder that is gone or may not be read gives its path as it
 * is.
 */
export declare function realFolder(folder: string): string;
