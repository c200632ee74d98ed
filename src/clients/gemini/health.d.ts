import type { Environment } from '../../io/environment.ts';
import type { ClientFinding } from '../contract/health.ts';
import type { Retention } from '../contract/sessions.ts';
/** Tells what was seen to keep our hooks and commands from working in 0.61.0: docs/clients/gemini-cli.md. */
export declare function health(environment: Environment, folder: string): ClientFinding[];
/**
 * At its start Gemini CLI deletes sessions that were not changed for `maxAge`. With a value that it does not understand
 * it deletes nothing.
 */
export declare function retention(environment: Environment, folder: string): Retention | undefined;
