import { type SavePlan } from '../session/reconcile.ts';
import type { Message } from '../session/schema.ts';
import { type PublishedMark } from '../store/machine/published.ts';
import { type RecordRead } from '../store/record/index.ts';
import type { Problem } from '../store/record/problem.ts';
import type { Workspace } from '../workspace/open.ts';
import type { BoundSegment } from './segments/segment-content.ts';
/** A mark, and whether its record holds an id. */
export interface ReadMark extends PublishedMark {
    held: {
        has(id: string): boolean;
    };
}
/** What the last publishing left in the record; undefined when a file of the record has changed since. */
export declare function markOf(ws: Workspace, path: string, folder: string): ReadMark | undefined;
/** Identifies everything on which it depends what a conversation has beyond its record. */
export declare function aheadStamp(ws: Workspace, path: string, folder: string): string;
/** A conversation of which all was read. */
interface WholeRead {
    path: string;
    folder: string;
    messages: Message[];
    plan: SavePlan;
    pruned: ReadonlyMap<string, Message>;
    record: Pick<RecordRead, 'lines'>;
    segments: readonly BoundSegment[];
    problems: readonly Problem[];
}
/**
 * Notes what the record holds now that the conversation is published. Without a note, where something is not as it
 * should be or too little was said, the next publishing reads everything.
 */
export declare function markPublishedWhole(ws: Workspace, conversation: WholeRead): void;
/** The same after only `append` was added to a record of which `mark` was known. */
export declare function markPublishedNew(ws: Workspace, { path, folder }: {
    path: string;
    folder: string;
}, { held: _, ids, ...before }: ReadMark, append: readonly Message[], known: {
    messages: number;
    tokens: number;
}, segments: readonly BoundSegment[]): void;
export {};
