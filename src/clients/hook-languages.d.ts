import type { HookLanguage } from './contract/hooks.ts';
import type { ClientId } from './index.ts';
/**
 * The hook language of each client, which is also `hooks` of each client in index.ts. The hook bundle loads this list
 * and not that one, so that it stays small. When a client is added there, the type makes the compiler ask for a line
 * here.
 */
export declare const hookLanguages: Record<ClientId, HookLanguage>;
