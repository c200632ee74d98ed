import { type Fields } from '../../shared/transcript/fields.ts';
/**
 * What lies in the transcript before the segment that is read. It is searched by its bytes, because parsing all of it
 * would cost more than reading the segment.
 */
export declare class Before {
    #private;
    constructor(bytes: Uint8Array, end: number);
    hasRecord(uuid: string): boolean;
    /** Whether nobody said anything after the record, as far as the lines alone tell. */
    isLast(uuid: string): boolean;
    /**
     * The uuid of the first record of an API message, if that is an ancestor of the record `uuid` over tool results and
     * bookkeeping.
     */
    startOfAnswer(apiId: string, uuid: string): string | undefined;
    /** The records of the lines that contain `mark`, in order. */
    linesWith(mark: string): Fields[];
}
