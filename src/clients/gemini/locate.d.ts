import type { Environment } from '../../io/environment.ts';
import type { NativeSession } from '../contract/sessions.ts';
/**
 * Lists the sessions of a folder, newest first, from the ends of their files. A stub that a resume left behind does not
 * count as a session.
 */
export declare function locate(environment: Environment, folder: string): NativeSession[];
/** Where Gemini CLI keeps the sessions of all folders. */
export declare function folders(environment: Environment): string[];
/**
 * The path of a session's file. Its name holds the minute of the session's start and eight letters of its id. A resume
 * in another minute leaves a stub with such a name too, so the largest file is taken. Throws `unsafe-path` on an id
 * that is not a plain name.
 */
export declare function transcriptPath(environment: Environment, folder: string, nativeId: string): string;
/**
 * Whether the client has the session. One of which only a stub is left does not count: the client does not resume it
 * (0.61.0).
 */
export declare function hasSession(environment: Environment, folder: string, nativeId: string): boolean;
/** The folder with the session files of a session's subagents. */
export declare function sideFolder(transcript: string, nativeId: string): string;
/** The folder for whole tool outputs, which the client has cut for the model. */
export declare function outputsFolder(transcript: string, nativeId: string): string;
/** Finds the session that a seed became, because the client keeps the ids of the seed's messages. */
export declare function launchedAs(environment: Environment, folder: string, launch: string): {
    nativeId: string;
    transcript: string;
} | undefined;
