import type { Environment } from '../../io/environment.ts';
import { type Fields } from '../shared/transcript/fields.ts';
/** What the person has told Codex CLI, as `config.toml` of its own folder holds it. */
export interface Told {
    /** The file, for messages. */
    path: string;
    /** Values of strings and booleans by table and key: `hooks.state`, `<key of the hook>`, `trusted_hash`. */
    get(...keys: string[]): string | boolean | undefined;
}
/** Reads the file; what is not there, or cannot be read, tells nothing. */
export declare function told(environment: Environment): Told;
/**
 * Whether Codex CLI trusts a folder: by an entry for it, else by one for the repository around it (0.169.0). Undefined
 * when it asks at its next start.
 */
export declare function isTrusted({ get }: Told, folder: string): boolean | undefined;
/** What Codex CLI does with a hook: it runs only what is `trusted`. */
export type HookTrust = 'trusted' | 'untrusted' | 'changed' | 'off';
/**
 * How the hooks in a file of the project are trusted, those of ours that `isOurs` knows by their command. Each is known
 * to the client by the file's path, its event and its place in there, and trusted by a hash of its entry (0.169.0).
 */
export declare function hookTrust({ get }: Told, file: string, isOurs: (command: string) => boolean): HookTrust[];
/** The hash by which the client knows a hook: of its entry with what is left out filled in, keys in order. */
export declare function hookHash(event: string, matcher: unknown, handler: Fields): string;
