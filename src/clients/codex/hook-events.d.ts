import type { HookEvent, HookLanguage } from '../contract/hooks.ts';
/** The hook language of Codex CLI (0.169.0). This file is part of the hook bundle: it imports only types. */
export declare const codexHooks: HookLanguage;
/**
 * Reads what a Codex CLI hook tells, from its stdin payload alone: the environment is that of whoever started the server
 * first. Never throws: a payload that is not understood is an event of kind `other`.
 */
export declare function parseCodexEvent(payload: unknown, _env: Record<string, string | undefined>): HookEvent;
