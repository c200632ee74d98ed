import type { Environment } from '../../io/environment.ts';
import type { LaunchSpec } from '../contract/launch.ts';
/** Lets OpenCode import the seed of a handoff, which takes about a second. Throws `client-failed` when it does not. */
export declare function prepare(environment: Environment, { files, cwd, args }: LaunchSpec): void;
