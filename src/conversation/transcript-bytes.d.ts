import { type Part } from '../store/machine/journal/copy-bytes.ts';
interface Native {
    client: string;
    transcript: string;
}
/** What of other files comes before a transcript, as its client tells; nothing for most. Quick: it loads no client. */
export declare function partsBefore({ client, transcript }: Native): Part[];
/** How many bytes a transcript has, with what comes before it; undefined when it is not there. */
export declare function sizeOfTranscript(native: Native): number | undefined;
/** How large a transcript's file is, and when it was changed last; undefined when it is not there. */
export declare function stampOfTranscript(transcript: string): {
    size: number;
    mtime: number;
} | undefined;
/** A transcript with what comes before it. Throws when it cannot be read. */
export declare function bytesOfTranscript(native: Native): Buffer;
export {};
