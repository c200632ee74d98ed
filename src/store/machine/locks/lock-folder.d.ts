import { type Owner } from './lock-owner.ts';
/**
 * This file is part of the hook bundle: it imports only node's own modules. It defines how a lock looks on disk, and why
 * two processes never hold it.
 *
 * A lock is a folder with one file in it. The file is named after one taking, by random bytes, and names the owner. A
 * taker makes the folder aside, together with its file, and renames it into place. The system refuses that when a folder
 * that is not empty is there already. So one of several takers wins, and a lock is never seen without its owner.
 *
 * Only two things are ever removed: the file of one taking, by its own name, and an empty folder. The owner removes its
 * file when it is done. Any process that has seen that the owner is dead may remove it. No name comes twice, so a slow
 * process that saw a dead owner cannot remove the file of the next one. Clearing a dead lock therefore needs no lock of
 * its own.
 *
 * A process can be killed at any point. It leaves a folder aside, which does not count as a lock, or a lock whose owner
 * is dead, or an empty folder, which is free. A process that is done with a lock clears all of these away.
 *
 * This clearing may empty a folder aside whose maker is still alive: a folder that is just being filled, or whose maker
 * slept for long on another machine. The system may even find that folder before it is renamed, and remove the file in
 * it afterwards. So a taker gives its file another name once the folder is in place, one that no process can have seen
 * aside. If the file is not there, nothing was taken.
 */
export interface Taking {
    path: string;
    /** The folder before it is renamed to `path`. */
    aside: string;
    owner: Owner;
}
/** Names a taking. This changes nothing on disk yet. */
export declare function newTaking(path: string): Taking;
/**
 * Takes the lock if it can, and returns whether it is ours now. False when a live owner has it or another taker was
 * faster. Throws `unreadable`, `unwritable` and the like.
 */
export declare function take(taking: Taking): boolean;
/** Ends a taking, whether it succeeded or not. */
export declare function release({ path, aside, owner }: Taking): void;
/** Removes what dead owners have left of a lock, or of a folder aside. Returns false when a live owner holds it. */
export declare function clear(path: string): boolean;
/** The owner named in a lock, who may be dead; empty when the lock is free. */
export declare function ownersOf(path: string): Owner[];
