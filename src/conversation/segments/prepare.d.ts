import type { Reading } from '../../clients/contract/reading.ts';
import type { Message } from '../../session/schema.ts';
import type { Workspace } from '../../workspace/open.ts';
/** What was read of a native session, as the record holds it: redacted, and cut where it is too long for a line. */
export interface Prepared {
    messages: Message[];
    subagents: Record<string, Message[]>;
    blobs: Map<string, Uint8Array>;
    /** How many secrets were replaced, by kind. */
    redacted: Record<string, number>;
    /** Bytes of what was said and done, as it was read: nothing replaced or cut yet. */
    taken: number;
}
export declare function prepare(ws: Workspace, { messages, subagents, blobs }: Pick<Reading, 'messages' | 'subagents' | 'blobs'>): Prepared;
/** Why a session may have had more tools than its transcript names. Undefined where no server is configured. */
export declare function whyMoreTools(ws: Workspace, client: string): string | undefined;
