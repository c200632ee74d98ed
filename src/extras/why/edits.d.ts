import type { ToolCall } from '../../session/schema.ts';
import { type CalledBy, type ToolVocabulary } from '../../session/tool-use.ts';
/** What a call of a tool makes of a file. A path is as the call names it. */
export type FileEdit = {
    path: string;
} & ({
    kind: 'whole';
    text: string;
} | {
    kind: 'parts';
    parts: Part[];
} | {
    kind: 'removed';
}
/** Nothing was changed: the file was read, and this is all of it. */
 | {
    kind: 'seen';
    text: string;
}
/** The call changes the file, and does not hold the text. */
 | {
    kind: 'unknown';
});
/** A text in a file, and what takes its place. */
export interface Part {
    before: string;
    after: string;
    /** Wherever it stands, not only once. */
    all: boolean;
    /** Both are whole lines. */
    lines?: true;
    /** The line break behind `before` goes too, where there is one. */
    takesBreak?: true;
}
/** What a call of a tool writes, by the arguments that clients give to such tools. Shell commands are not read. */
export declare function editsOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): FileEdit[];
/**
 * All of a file, as a tool answered that reads files and numbers their lines: what a person had changed until then is
 * known by it. Undefined for a part of a file, and for an answer in another form.
 */
export declare function seenIn(tools: ToolVocabulary, call: ToolCall, client: CalledBy, answer: string): FileEdit | undefined;
