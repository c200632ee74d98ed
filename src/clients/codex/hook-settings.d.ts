type Settings = Record<string, unknown>;
/** In Codex CLI a project has no hooks that belong to one person alone. */
export declare function settingsFile(_shared: boolean): string;
/** Adds our hooks to the file; see `addHookEntries`. Throws `refused`. */
export declare function addHooks(settings: Settings): Settings;
/**
 * Removes our hooks: `removeHooks(addHooks(s))` is `s`. Those of other clients go too: they are copies that the client's
 * `/import` has made.
 */
export declare function removeHooks(settings: Settings): Settings;
export {};
