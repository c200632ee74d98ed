import type { Workspace } from '../../workspace/open.ts';
import { type BoundSegment, type Marked, type PlannedEnd } from './segment-content.ts';
/**
 * Reads the segments of a conversation from the journals and from what the transcripts have beyond them. So messages
 * that the client deleted or another branch hid are still there. Writes nothing. A segment that has not changed since
 * `known` was read is taken from there. Live segments are read up to their planned `ends`. What the record holds by
 * `marked` is left out, where that can be told without reading it.
 */
export declare function readSegments(ws: Workspace, path: string, known?: readonly BoundSegment[], ends?: readonly PlannedEnd[], marked?: Marked): BoundSegment[];
/** The same where every segment can be read on from what is published of it; undefined otherwise. */
export declare function readTails(ws: Workspace, path: string, ends: readonly PlannedEnd[], marked?: Marked): BoundSegment[] | undefined;
