import type { Environment } from '../../io/environment.ts';
import { type Fields } from '../shared/transcript/fields.ts';
/**
 * Runs an `opencode` command without plugins and returns what it printed. Undefined when it failed or took too long.
 */
export declare function askOpenCode(environment: Environment, cwd: string, args: readonly string[], timeout?: number): string | undefined;
/**
 * A session as OpenCode gives it out, in a second or two. Undefined where it gives no such session, or never ran; then
 * it is not asked.
 */
export declare function sessionFromOpenCode(environment: Environment, cwd: string, id: string): Fields | undefined;
/**
 * Asks OpenCode for a session. `missing` only where OpenCode says so, or never ran; `unknown` where it failed, as it
 * does while another process has its database.
 */
export declare function askForSession(environment: Environment, cwd: string, id: string): Fields | 'missing' | 'unknown';
