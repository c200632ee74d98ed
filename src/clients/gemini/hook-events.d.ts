import type { HookEvent, HookLanguage } from '../contract/hooks.ts';
/** The hook language of Gemini CLI (0.61.0). This file is part of the hook bundle: it imports only types. */
export declare const geminiHooks: HookLanguage;
/**
 * Reads what a Gemini CLI hook tells, from its stdin payload and its environment. Never throws: a payload that is not
 * understood is an event of kind `other`. So is PreCompress, which fires before every request.
 */
export declare function parseGeminiEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent;
