import { type Fields } from '../../shared/transcript/fields.ts';
/**
 * A line of a rollout in the form that Codex has written since September 2025: `{ timestamp, type, payload }`. Before
 * that the first line was the session's own, `{ id, timestamp, instructions, git }`, each further one an item of the
 * request, without a time, and `{ record_type: "state" }` stood between them.
 */
export declare function inEnvelope(record: Fields): Fields;
/** The folder that a message about the session's surroundings names; '' where it names none. */
export declare function folderIn(payload: Fields): string;
