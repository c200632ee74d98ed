import type { Environment } from '../../io/environment.ts';
import { type Fields } from '../shared/transcript/fields.ts';
/**
 * Asks the app server of Codex CLI one thing, as an editor does, and ends it. It stops at the end of its stdin, and what
 * it has not answered by then stays unanswered (0.169.0); so the stdin is kept open until the answer is there. Throws
 * `client-failed` when there is none.
 */
export declare function askAppServer({ env }: Environment, cwd: string, method: string, params: object): Promise<Fields>;
