import { type Fields } from '../../shared/transcript/fields.ts';
/** What the client takes a record for. The checks are in the client's order (0.61.0). */
export declare function recordKind(record: Fields): 'rewind' | 'message' | 'change' | 'header' | 'unknown';
export declare function unknownKeys(change: Fields): string[];
/** Messages of our own handoff seed have ids with this prefix. The client keeps ids wherever it copies messages. */
export declare const SEED = "cortext-seed-";
export declare function isSeed(record: Fields): boolean;
