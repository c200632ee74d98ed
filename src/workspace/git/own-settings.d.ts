import type { Environment } from '../../io/environment.ts';
/** What every git that cortext starts is given: settings in front of its command, and a clean environment. */
/**
 * The arguments with our settings in front of the command. A work tree may contain a repository of its own making, and
 * a repository may have come as an archive, so git runs nothing that their configuration names: no program that watches
 * files, no hook, no other repository than the one above in a `.git`, no pager, no fetch of what a partial clone lacks,
 * no check of signatures for a log. Filters and signing come from the person's own settings, and stay.
 *
 * A commit runs the person's hooks, which inherit these settings. So a commit is given only what no hook can miss.
 */
export declare function withOwnSettings(args: readonly string[]): string[];
/** The first word that is no setting. */
export declare function commandIn(args: readonly string[]): string | undefined;
/** Whether this git may write. Every other one answers a question. */
export declare function isWriting(args: readonly string[]): boolean;
/**
 * The environment for our own git. A question takes no lock, not even to refresh the index, so it never blocks a git
 * that writes, and it fetches nothing. A git that writes runs hooks and signs, and may not stop and ask: without a
 * display a pin entry program fails at once; with one it would wait for a person who is not looking.
 */
export declare function environmentFor(args: readonly string[], env: Environment['env']): Record<string, string>;
/**
 * The variables without those that a program around us added. Gemini CLI 0.35 sets GIT_CONFIG_GLOBAL,
 * GIT_CONFIG_NOSYSTEM and eight GIT_CONFIG_KEY_n, which hide the person's identity and hooks. A git hook around us sets
 * GIT_DIR and GIT_INDEX_FILE. Author and committer stay.
 */
export declare function gitEnvironment(env: Environment['env']): Record<string, string>;
