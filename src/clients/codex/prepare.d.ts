import type { Environment } from '../../io/environment.ts';
import type { LaunchSpec } from '../contract/launch.ts';
/**
 * Puts the seed of a handoff among Codex's own threads, where it stays: from then on it is Codex's. A thread names the
 * provider of its model, without which Codex does not open it (0.169.0); Codex tells which one is set here. Throws
 * `client-failed` when it does not, and what writing throws.
 */
export declare function prepare(environment: Environment, { files, args, cwd }: LaunchSpec): Promise<void>;
