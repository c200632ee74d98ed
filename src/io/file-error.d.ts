/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Turns what the system said about a file into an error that a person can act on. An error that is not an errno of the
 * system comes back as it is, so that `throw fileError(error, path, 'write')` is always right.
 */
export declare function fileError(error: unknown, path: string, doing: 'read' | 'write'): unknown;
/** `ENOENT` and its like; undefined for an error that did not come from the system. */
export declare function errnoOf(error: unknown): string | undefined;
