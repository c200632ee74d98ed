import type { IndexEntry } from './index-entry.ts';
/** The fields by which a conversation can be found. */
export interface Findable {
    id: string;
    /** The last two parts of the folder's path: `2026-11-21/001-brainstorm-api-design`. */
    datedId: string;
    title: string;
    summary: string;
    tags: readonly string[];
    /** What an agent loop knows it by. */
    key?: string;
}
/**
 * The conversations that a name means, to the letter: by id, date and id, number, number with its day, or key. Zeros
 * before a number do not count. Several are several: nothing is guessed here.
 */
export declare function namedExactly<T extends Findable>(name: string, all: readonly T[]): T[];
/** Whether a text can only be meant as the name of one conversation: a number, an id or a path, which are no words. */
export declare function looksLikeName(text: string): boolean;
/**
 * A name for each of some conversations that only it has `among` these: its id, or the dated id where another is called
 * that too.
 */
export declare function namesOf<T extends Findable>(some: readonly T[], among?: readonly Findable[]): Map<T, string>;
/**
 * The shortest name for each of some conversations that only it has `among` these: its number (`3`), with the day (`11-21/3`) or the
 * date (`2026-11-21/3`) where several have that, else the dated id. `namedExactly` knows all of them.
 */
export declare function numbersOf<T extends Findable>(some: readonly T[], among?: readonly Findable[]): Map<T, string>;
/** The longest of these, which no conversation of another day has: `2026-11-21/3`. */
export declare function fullNumberOf(one: Findable): string;
/** A conversation by what its session.json says. */
export declare function findableOf({ path, session }: {
    path: string;
    session: IndexEntry;
}): Findable;
