import { type ProcessName } from '../../../io/process.ts';
/**
 * This file is part of the hook bundle: it imports only node's own modules. It names who holds a lock, and tells whether
 * that process is alive.
 */
export interface Owner extends ProcessName {
    /** Names this one taking of the lock. */
    nonce: string;
    /** ISO 8601. */
    at: string;
}
export declare function newOwner(): Owner;
/** Parses the file in a lock; undefined when it names no owner. */
export declare function parseOwner(text: string): Owner | undefined;
/**
 * Whether the owner is dead. On this host: its pid is free, or another process has it now. Nobody here can tell for
 * another host or container (a shared folder), so there the time decides.
 */
export declare function isGone(owner: Owner): boolean;
/** Whether the owner runs on another host or in another container. */
export declare function isElsewhere({ host }: Owner): boolean;
/** When the lock of an owner elsewhere counts as free. */
export declare function freeFrom({ at }: Owner): Date;
