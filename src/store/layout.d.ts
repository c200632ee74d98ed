/** This file is part of the hook bundle: it imports only node's own modules. */
export declare const SESSION_FOLDER = ".session";
/** The tracked files and folders of a conversation, below its folder. A clone brings them: io/inside.ts opens them. */
export declare const RECORD: {
    folder: string;
    session: string;
    messages: string;
    summaries: string;
    archive: string;
    subagents: string;
    attachments: string;
};
/** The same as absolute paths, to tell of them. */
export declare function recordFiles(folder: string): typeof RECORD;
/** This machine's own files and folders, by their names on disk; see README.md. */
declare const NAMES: {
    readonly journal: 'journal';
    readonly bindings: 'bindings';
    readonly bindingIndex: 'binding-index.json';
    readonly contexts: 'contexts';
    readonly copies: 'copies';
    readonly index: 'index.json';
    readonly locks: 'locks';
    readonly log: 'log';
    readonly making: 'making';
    readonly mergeChecks: 'merge-checks';
    readonly metadata: 'metadata';
    readonly openSessions: 'open-sessions';
    readonly pages: 'pages';
    readonly pendingTurns: 'pending-turns';
    readonly published: 'published';
    readonly told: 'told';
    readonly unkept: 'unkept.json';
    readonly unpublished: 'unpublished';
    readonly workspaceCopy: 'workspace';
};
/** The absolute paths of this machine's own files, in the local folder of a workspace. */
export declare function localFiles(local: string): Record<keyof typeof NAMES, string>;
/** The first journal generation of a native session; see journal.ts. */
export declare function journalPath(local: string, client: string, nativeId: string): string;
/** The folder with the copies of a native session's side files. */
export declare function journalSideFolder(local: string, client: string, nativeId: string): string;
export declare function turnMarkPath(local: string, client: string, nativeId: string): string;
export declare function bindingPath(local: string, client: string, nativeId: string): string;
/** The note that a client process has cleared its session. The session that it begins next reads it. */
export declare function clearedPath(local: string, client: string, pid: number): string;
/** Makes a folder at or below the local one, readable by this user alone. */
export declare function ensureLocalFolder(local: string, folder: string): void;
/**
 * Makes a file name of any id. The same id gives the same name, different ids give different names, and no name leaves
 * the folder or is hidden. Characters outside `A-Za-z0-9_.-` and a leading dot are percent-encoded; a long id ends in
 * its hash. A `~` never occurs, so that a suffix can follow it. Throws `unsafe-path` when the id is empty.
 */
export declare function fileNameOf(id: string): string;
/**
 * Checks a workspace-relative path with forward slashes, as files hold it, and returns it. Throws `unsafe-path` when it
 * is absolute, climbs, or holds an empty part or a control character.
 */
export declare function checkRelativePath(path: string): string;
export {};
