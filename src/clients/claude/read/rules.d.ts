import { type Fields } from '../../shared/transcript/fields.ts';
import type { Line } from '../../shared/transcript/lines.ts';
/**
 * What becomes of a record. `dropped` names the rule, so that a person can ask why. What no rule knows is `unknown` and
 * kept raw.
 */
export type Fate = {
    as: 'user' | 'assistant' | 'queued' | 'queue' | 'compaction' | 'summary' | 'agent-progress';
}
/** What a person said in a voice call. */
 | {
    as: 'spoken';
}
/** What other agents and services told this one. */
 | {
    as: 'delivered';
    text: string;
}
/** A command to the client, or its output, that the client tells of in a note of its own. */
 | {
    as: 'local-command';
}
/** The client itself says that the turn is over. */
 | {
    as: 'turn-end';
} | {
    as: 'derived';
} | {
    as: 'dropped';
    rule: string;
} | {
    as: 'unknown';
    kind: string;
};
/** Decides by the record alone. What a user record says is sorted later, by its text. */
export declare function fateOf(record: Fields): Fate;
/** The rule for a user record that the client marks as its own (`isMeta`). */
export declare function metaRule(record: Fields, afterCommand: boolean): string;
/** Whether a block is text that the client puts beside what the person typed. */
export declare function isClientText(block: Fields): boolean;
/** The rule for such a block; undefined where it is the person's. */
export declare function clientTextRule(block: Fields): string | undefined;
/** The uuids of slash commands that the client refused. The record behind the command tells so. */
export declare function refusedCommands(lines: readonly Line[]): Set<string>;
