import type { Environment } from '../../io/environment.ts';
/**
 * Brings our transcript of a session up to what OpenCode has in its database, for sessions that were held without the
 * plugin or that ended before it could write. It appends what is new or has changed. Where OpenCode has to be asked,
 * this takes about a second for each session and subagent. Throws `not-found` when OpenCode does not give out the whole
 * session.
 */
export declare function refresh(environment: Environment, { nativeId, transcript, cwd }: {
    nativeId: string;
    transcript: string;
    cwd: string;
}): void;
