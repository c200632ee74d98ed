import type { Environment } from '../../io/environment.ts';
import type { NativeSession } from '../contract/sessions.ts';
/**
 * Lists the threads of a folder, newest first, from the names and ends of their files. Those of subagents, those in which
 * nothing was said, and the copies that Codex made of another client's sessions are left out.
 */
export declare function locate(environment: Environment, folder: string): NativeSession[];
/** Where Codex CLI keeps threads, and where it puts those that are archived. */
export declare function folders(environment: Environment): string[];
/** The path of a thread's newest file. Throws `unsafe-path` on an id that is not a plain name. */
export declare function transcriptPath(environment: Environment, _folder: string, nativeId: string): string;
/** Whether Codex CLI has the thread. It does not open one that is archived (0.169.0). */
export declare function hasSession(environment: Environment, _folder: string, nativeId: string): boolean;
/**
 * The rollouts of a thread's subagents, and of theirs. They lie among all others, name the thread as their session, and
 * are named by what started them: the output of a call, or an item.
 */
export declare function sideFiles(transcript: string, nativeId: string): {
    path: string;
    name: string;
}[];
