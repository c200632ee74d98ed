import type { Fields } from '../../shared/transcript/fields.ts';
/** What a record of type `user` is. Gemini CLI writes many records of its own under that type. */
export type Said = {
    kind: 'prompt';
    parts: Fields[];
}
/** `!cmd`: the client ran it and told the model with the next prompt. */
 | {
    kind: 'shell';
    command: string;
    output: string;
}
/** What the client puts before a conversation, and before each resumed one. */
 | {
    kind: 'session-context';
}
/** The summary with which the model continues after `/compress`. */
 | {
    kind: 'snapshot';
    text: string;
}
/** The record holds only what hooks put in. */
 | {
    kind: 'hook-context';
};
/** Sorts a user record that is more than tool results. What was typed has precedence over its expansion. */
export declare function sortSaid(record: Fields): Said;
/** Whether the client says this in the model's name, behind the summary of a compression. */
export declare function isAcknowledgement(record: Fields, before: Fields | undefined): boolean;
