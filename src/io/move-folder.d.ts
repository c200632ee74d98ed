/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Moves a folder of ours to another place, and into what is there already. A file that both places have is kept once: the
 * longer one where it goes on where the other ends, else the one at the new place. With `keepsBoth` it stays at the old
 * place instead, for a file that says something of its own in each place.
 *
 * Each file is moved at once, so that a process that is killed here leaves every file in one of the two places, and the
 * next call moves the rest. Several processes may do it at the same time. Returns false when the new place cannot be
 * written; then the rest stays where it was.
 */
export declare function moveFolder(from: string, to: string, keepsBoth: (path: string) => boolean): boolean;
