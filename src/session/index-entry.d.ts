import type { SessionFile } from './schema.ts';
/** The part of a session.json that lists, finders and searches need. Only this part is kept in the index. */
export interface IndexEntry extends Pick<SessionFile, 'conversation_id' | 'conversation_type' | 'title' | 'status' | 'created_at' | 'last_active' | 'message_count' | 'token_count' | 'context_summary' | 'archived_at' | 'tags' | 'key' | 'origin'> {
    /** Git has merged another conversation of the same name into the folder. */
    merged?: true;
    client: string;
    /** `agent_sessions`, in their order. */
    native: {
        client: string;
        native_id: string;
    }[];
}
export declare function indexEntryOf(session: SessionFile): IndexEntry;
