type Settings = Record<string, unknown>;
/** The settings file. In Gemini CLI a project has no settings file that belongs to one person alone. */
export declare function settingsFile(_shared: boolean): string;
/**
 * Adds our hooks, and turns the client's own deleting of sessions off: with it on, a resume in a later minute makes the
 * next start delete the session (0.61.0). A person's own setting for this stays, and in `shared` settings it is left to
 * each person. Throws `refused`.
 */
export declare function addHooks(settings: Settings, shared?: boolean): Settings;
/** Removes our entries, and the containers that they leave empty. */
export declare function removeHooks(settings: Settings): Settings;
export {};
