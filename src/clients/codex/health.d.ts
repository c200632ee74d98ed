import type { Environment } from '../../io/environment.ts';
import type { ClientFinding } from '../contract/health.ts';
/** Tells whether Codex CLI runs our hooks, as the person's `config.toml` has it (0.169.0): docs/clients/codex.md. */
export declare function health(environment: Environment, folder: string): ClientFinding[];
