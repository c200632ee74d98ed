import type { HookEvent, HookLanguage } from '../contract/hooks.ts';
/** The hook language of Claude Code (2.1.197, 2.1.330). This file is part of the hook bundle: it imports only types. */
export declare const claudeHooks: HookLanguage;
/**
 * Reads what a Claude Code hook tells, from its stdin payload and its environment (observed on 2.1.197). Never throws:
 * a payload that is not understood is an event of kind `other`.
 */
export declare function parseClaudeEvent(payload: unknown, env: Record<string, string | undefined>): HookEvent;
