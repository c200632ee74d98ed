type Settings = Record<string, unknown>;
/** For each event, the kinds that our hooks run for. */
export declare const MATCHERS: {
    SessionStart: string;
    UserPromptExpansion: string;
};
export declare function settingsFile(shared: boolean): string;
/** Adds our hooks to the settings; see `addHookEntries`. Throws `refused`. */
export declare function addHooks(settings: Settings): Settings;
/** Removes our hooks: `removeHooks(addHooks(s))` is `s`. */
export declare function removeHooks(settings: Settings): Settings;
export {};
