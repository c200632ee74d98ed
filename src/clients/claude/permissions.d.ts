type Settings = Record<string, unknown>;
/**
 * Our rules, by the list that they stand in. A path that begins with a slash is one of the project. The client resolves
 * links and `..` before it looks (2.1.197, 2.1.330).
 */
export declare const RULES: {
    allow: string[];
    ask: string[];
};
/** For the front matter of a command. */
export declare const ALLOWED_TOOLS = "Bash(cortext agent:*)";
/**
 * Adds our rules after the person's own. Settings of an unknown shape stay as they are. A command's own `allowed-tools` would not do: they hold only for the turn in which the command was typed, and
 * the person answers a list in the next turn (observed on 2.1.330).
 */
export declare function addPermissions(settings: Settings): Settings;
/** Removes our rules, whoever added them, and the containers that they leave empty. */
export declare function removePermissions(settings: Settings): Settings;
export {};
