import { type Fields } from './fields.ts';
/** What `idIn` finds first in the records of a transcript; undefined when it finds nothing. */
export declare function firstId(bytes: Uint8Array, idIn: (record: Fields) => unknown): string | undefined;
