import type { HookEvent, HookLanguage } from '../contract/hooks.ts';
/** The hook language of our OpenCode plugin (plugin/). This file is part of the hook bundle: it imports only types. */
export declare const opencodeHooks: HookLanguage;
/** What the plugin writes to the hook's stdin. */
export interface PluginEvent {
    event: (typeof KINDS)[number];
    session: string;
    transcript: string;
    directory: string | undefined;
    /** On `command`: the slash command without the slash, and its raw arguments. */
    command?: string;
    args?: string;
}
declare const KINDS: readonly ['command', 'turn-start', 'turn-end', 'session-end'];
/** Reads a PluginEvent of this version or another. What is not understood is an event of kind `other`. Never throws. */
export declare function parseOpenCodeEvent(payload: unknown): HookEvent;
export {};
