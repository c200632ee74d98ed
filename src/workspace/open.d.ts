import type { Environment } from '../io/environment.ts';
import { type Config } from './config.ts';
import { type ConversationType } from './registry.ts';
/** An opened workspace, which every journey receives. */
export interface Workspace {
    environment: Environment;
    /** The absolute path, with symlinks resolved. */
    root: string;
    /** The folder with this machine's own state of the workspace. */
    local: string;
    config: Config;
    types: Map<string, ConversationType>;
    /** False when a command has promised to write nothing. Then scans do not keep what they read either. */
    keepIndex: boolean;
}
/**
 * Opens the workspace at or above `folder`. With `looks` nothing is changed in it or on this machine, not even a cache.
 * Throws `no-workspace`, or `corrupt` when its settings cannot be read.
 */
export declare function openWorkspace(environment: Environment, folder?: string, { looks }?: {
    looks?: boolean | undefined;
}): Workspace;
/**
 * The same workspace, for a process that has waited for long: meanwhile a repository may have been made around it, and
 * another process may have moved this machine's state there.
 */
export declare function openAgain(ws: Workspace): Workspace;
