import type { Environment } from '../../io/environment.ts';
import type { NativeSession } from '../contract/sessions.ts';
/**
 * Lists the sessions of a folder, newest first, from the ends of their files. Different folders can share one project
 * folder (`a.b` and `a-b` do), so the `cwd` in the records decides.
 */
export declare function locate(environment: Environment, folder: string): NativeSession[];
/** Where Claude Code keeps its projects, here or in a shell where the person has not moved its folder. */
export declare function folders(environment: Environment): string[];
/** The path of a session's transcript. Throws `unsafe-path` on an id that is not a plain name. */
export declare function transcriptPath(environment: Environment, folder: string, nativeId: string): string;
export declare function hasSession(environment: Environment, folder: string, nativeId: string): boolean;
/** The client looks through the projects of a repository and its worktrees, and no others (2.1.197, 2.1.330). */
export declare function heldElsewhere(environment: Environment, folder: string, transcript: string): string | undefined;
export declare function sideFolder(transcript: string): string;
/**
 * Claude Code sets these variables for hooks, `!` commands and the Bash tool. They follow /clear and /resume within the
 * client (observed).
 */
export declare function insideOf(env: Environment['env']): string | undefined;
/**
 * Names a project folder by Claude Code's own rule (2.1.197): every odd character becomes a dash, and a long path ends
 * in a hash of the whole.
 */
export declare function slugOf(path: string): string;
