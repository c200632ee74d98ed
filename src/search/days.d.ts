import type { Query } from './query.ts';
/** Whether a query names a month (in English) or a year, so that days are worth being looked at. */
export declare function asksForDay({ terms }: Query): boolean;
/** Days as they are asked for, from ISO times: `2026-11-21 21 November 2026`. */
export declare function namesOfDays(times: readonly string[]): string;
