import { type OpenCodeRecord } from './record.ts';
/** What lies in the transcript before the segment that is read. It is searched by its bytes and not parsed. */
export declare class Before {
    #private;
    constructor(bytes: Uint8Array, end: number);
    /** Whether a message stands there. If so, it comes again in the segment only because it has changed. */
    has(messageId: string): boolean;
    /** Whether the person took something back after its last message. */
    endsInRemoval(): boolean;
    /** What the transcript said last about the session itself. */
    session(nativeId: string): OpenCodeRecord | undefined;
}
