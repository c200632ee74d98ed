import type { Environment } from '../../io/environment.ts';
/**
 * Whether Gemini CLI trusts a folder, by its own rules (read in 0.61.0): first variables, then whether trust is asked
 * for at all, then the longest entry of trustedFolders.json that holds the folder. Undefined when it asks at its next
 * start.
 */
export declare function isTrusted(environment: Environment, folder: string): boolean | undefined;
/** The client's own folder, `~/.gemini`. */
export declare function ownFolder(environment: Environment): string;
