import type { Line } from '../../shared/transcript/lines.ts';
/**
 * Puts lines in the order of the talk. The file's order can differ: 2.1.197 now and then writes an answer above its
 * prompt (observed). A record goes above a line that hangs on it, or above a younger line whose parent has not come
 * yet; its `seq` is then just below that line's. Only lines above it in the file decide, so the `seq` of a line that
 * was read never changes when the transcript grows. `liesBefore` tells whether a record with a uuid lies before the
 * lines.
 */
export declare function inTalkOrder(lines: readonly Line[], liesBefore: (uuid: string) => boolean): Line[];
