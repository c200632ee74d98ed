import { type Fields } from '../shared/transcript/fields.ts';
/**
 * The transcript that stands for what `opencode export` prints. Of one that was cut it has the whole messages, and the
 * rest as a line that cannot be read. Undefined for anything else.
 */
export declare function fromExport(text: string): string | undefined;
/** The records of a session as OpenCode gives it out, without its subagents'. Undefined when it is not a whole session. */
export declare function recordsOf(id: string, session: unknown): Fields[] | undefined;
