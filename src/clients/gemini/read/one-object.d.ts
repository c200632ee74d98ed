import type { Line } from '../../shared/transcript/lines.ts';
/**
 * Reads a session file of older versions: one JSON object with all messages, usually over many lines, becomes one
 * record of all its bytes. Of one that was cut, the record has the whole messages, and an unreadable line the rest.
 * Undefined for the present format, which has one record a line.
 */
export declare function oneObject(bytes: Uint8Array): Line[] | undefined;
