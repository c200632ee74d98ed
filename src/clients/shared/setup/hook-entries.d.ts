type Settings = Record<string, unknown>;
/** Which hooks in a client's settings are ours: `hooks: { Event: [{ hooks: [{ type: 'command', command }] }] }`. */
export interface OurHooks {
    /** The client's id, and its name as people write it. */
    client: string;
    name: string;
    /** Where the client's settings may lie, for a person who has to correct them. */
    files: string;
    /** Event → shell command. */
    commands: Record<string, string>;
    /** Adds further keys to our entry for an event. */
    extra?: (event: string) => Settings;
    /** Event → `matcher`: the kinds of the event that our hook runs for. */
    matchers?: Record<string, string>;
}
/**
 * Adds our hook entries to the settings. Our entries are known by their command: those of an older version are
 * replaced, and everything else stays. Throws `refused` when `hooks` does not have the documented shape.
 */
export declare function addHookEntries(settings: Settings, ours: OurHooks): Settings;
/** Removes our entries, and the containers that held nothing else: remove(add(s)) is s. */
export declare function removeHookEntries(settings: Settings, client: string): Settings;
export {};
