/**
 * The page that `cortext view` made of a conversation last: for this user alone, and where git keeps its own files or
 * ignores them. It goes when the conversation is deleted, moved or redacted.
 */
/** Writes the page of a conversation (workspace-relative path), and returns where. Throws what files throw. */
export declare function writePage(local: string, path: string, page: string): string;
/** The folder for the pages of all conversations, where the person names none; it is made. Throws what files throw. */
export declare function allPagesFolder(local: string): string;
/** Removes the page of a conversation, and the pages of all, of which it is one. Throws `unwritable`. */
export declare function forgetPage(local: string, path: string): void;
