import type { Query } from '../../search/query.ts';
import { type Candidate, type Ranked } from '../../search/rank.ts';
import type { IndexEntry } from '../../session/index-entry.ts';
import type { Message } from '../../session/schema.ts';
import type { Workspace } from '../../workspace/open.ts';
import { type Said } from './count-record.ts';
/** What is searched. Without any of these: all that was said in conversations that are not archived. */
export interface Narrowed {
    type?: string | undefined;
    client?: string | undefined;
    /** Nothing that was said before. */
    since?: Date | undefined;
    /** The name that messages of a shared workspace have. */
    author?: string | undefined;
    role?: string | undefined;
    /** Only conversations whose calls of tools name this file: a path from where the person is, or the end of one. */
    file?: string | undefined;
    archived?: boolean | undefined;
    subagents?: boolean | undefined;
}
/** A conversation in which something was found. */
export interface Found extends Candidate {
    /** Of its workspace. */
    root: string;
    path: string;
    folder: string;
    session: IndexEntry;
    messages: Said;
    /** Whether title, summary, tags or id hold something of the query. */
    named: boolean;
    /** The messages that are not in the record yet, where there may be some. */
    unsaved?: readonly Message[];
}
export interface Searched {
    query: Query;
    /** Best first. */
    found: Ranked<Found>[];
    /** How many conversations were left out because they are archived. */
    archived: number;
}
/**
 * Finds the conversations that hold something of a query, in what was said or in title, summary and tags, and ranks them
 * (search/rank.ts). It reads the records themselves and keeps nothing, so it is right after whatever has changed them.
 * A word that stands nowhere is looked for once more, with a typing slip in it.
 */
export declare function searchConversations(ws: Workspace, text: string, narrowed?: Narrowed): Promise<Searched | undefined>;
/** The same in conversations that were gathered, of one workspace or of several: ranked as if they lay in one. */
export declare function searchSources({ open, archived }: Sources, text: string, narrowed: Narrowed): Searched | undefined;
/** The conversations that are searched, and how many are left out because they are archived. */
export interface Sources {
    open: Source[];
    archived: number;
}
export interface Source {
    root: string;
    path: string;
    folder: string;
    session: IndexEntry;
    files: string[];
    unsaved: readonly Message[] | undefined;
}
/** What is searched, conversation by conversation. One that cannot be read has no files, and does not stop the others. */
export declare function sourcesOf(ws: Workspace, narrowed: Narrowed): Promise<Sources>;
/** Matches the plain lines of a record that name a file, wherever it lies. */
export declare function namingFile(...files: readonly string[]): RegExp;
