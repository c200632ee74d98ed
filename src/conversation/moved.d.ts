import { type Entry } from '../store/scan.ts';
import type { Workspace } from '../workspace/open.ts';
/**
 * Where a conversation lies now: a person may have moved or renamed its folder while it was being recorded. What this
 * machine knows of it goes along. Returns the same path where the folder is still there, or is nowhere. Throws what
 * scans throw, and `locked`.
 */
export declare function pathNow(ws: Workspace, path: string): string;
/** Carries over what this machine knows of conversations whose folders have moved. Throws `locked`. */
export declare function followMoved(ws: Workspace, entries: readonly Entry[]): void;
