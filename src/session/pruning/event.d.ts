import * as z from '../../zod.ts';
import type { Message } from '../schema.ts';
/** What a `pruned` event holds besides the keys of every message: the pruned lines, their file, and their summary. */
declare const Pruned: z.ZodMiniObject<{
    id: z.ZodMiniString<string>;
    archive: z.ZodMiniString<string>;
    places: z.ZodMiniArray<z.ZodMiniTuple<readonly [z.ZodMiniInt, z.ZodMiniInt], null>>;
    lines: z.ZodMiniDefault<z.ZodMiniNumber<number>>;
    messages: z.ZodMiniDefault<z.ZodMiniNumber<number>>;
    summary: z.ZodMiniDefault<z.ZodMiniString<string>>;
}, z.core.$loose>;
export type PrunedEvent = z.infer<typeof Pruned>;
/** The `pruned` event of a line; undefined when the line is something else, or its event cannot be understood. */
export declare function prunedEvent(line: Message): PrunedEvent | undefined;
/** The first event for each archive file, in the order of the lines, and its place among them. */
export declare function prunedEvents(lines: readonly Message[]): (PrunedEvent & {
    place: number;
})[];
export interface Moved {
    archive: string;
    places: [number, number][];
    bytes: number;
}
/**
 * Makes the line that stands in place of the pruned lines. It has the time of the last of them, so that it is read at
 * their place.
 */
export declare function prunedLine({ archive, places, bytes }: Moved, about: {
    messages: number;
    from: string;
    to: string;
    summary: string;
    at: Date;
    origin?: string | undefined;
}): Message;
export {};
