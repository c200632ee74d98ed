import type { Environment } from '../../io/environment.ts';
import { type Fields } from '../shared/transcript/fields.ts';
/**
 * The sessions that no other session began, as `opencode session list` tells them, but within a millisecond. Undefined
 * where this Node has no SQLite (before 22.5) or the database has another form: then OpenCode has to be asked.
 */
export declare function sessionsInDatabase(environment: Environment): Fields[] | undefined;
/**
 * A session as `opencode export` gives it out. Undefined, too, for a session whose messages are in the newer table
 * `session_message`, which we do not read.
 */
export declare function sessionInDatabase(environment: Environment, id: string): Fields | undefined;
