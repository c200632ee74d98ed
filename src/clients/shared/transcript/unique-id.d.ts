/** An id that none of `known` is, made of one that may be, and known from then on. It is the same at every reading. */
export declare function uniqueAmong(known: Set<string>, id: string): string;
