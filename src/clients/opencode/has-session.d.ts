import type { Environment } from '../../io/environment.ts';
/**
 * Whether OpenCode has a session: when the session is deleted there, our transcript of it stays. The database tells
 * where this Node can read it. Otherwise OpenCode is asked to give the session out, which takes a second. Where it
 * gives no answer it counts as having the session.
 */
export declare function hasSession(environment: Environment, folder: string, nativeId: string): boolean;
