import type { Environment } from '../../io/environment.ts';
import type { ClientFinding } from '../contract/health.ts';
import type { Retention } from '../contract/sessions.ts';
/** Reports `disableAllHooks`, which turns our hooks off too. */
export declare function health(environment: Environment, folder: string): ClientFinding[];
/**
 * At its start Claude Code deletes sessions that were not touched for this many days; 0 means never (read in 2.1.330).
 */
export declare function retention(environment: Environment, folder: string): Retention | undefined;
