import type { Environment } from '../../io/environment.ts';
import type { NativeSession } from '../contract/sessions.ts';
/**
 * Lists the sessions of a folder, newest first, without those of subagents and without handoffs in which nothing was
 * said. They come from OpenCode's database where this Node can read it. Otherwise OpenCode is asked, which takes about
 * a second, unless it never ran. Throws `client-failed` when OpenCode gives no answer.
 */
export declare function locate(environment: Environment, folder: string): NativeSession[];
/** Where our plugin writes the transcripts. */
export declare function folders(environment: Environment): string[];
/**
 * The path of our transcript of a session. OpenCode keeps its sessions in a database, so the plugin writes transcripts
 * beside OpenCode's own data. Throws `unsafe-path` on an id that is not a plain name.
 */
export declare function transcriptPath(environment: Environment, _folder: string, nativeId: string): string;
/** The plugin sets these variables for the agent's shell, because OpenCode itself names no session there. */
export declare function insideOf(env: Environment['env']): string | undefined;
