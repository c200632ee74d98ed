/**
 * What a tool put out, when the transcript holds only a preview of it (`<persisted-output>`) and the file with the whole
 * is gone. `toolUseResult` of the same record has the whole or its beginning, up to 30,000 characters. The text comes
 * back whole where it is as long as the client says; otherwise it takes the place of the shorter preview.
 */
export declare function fromOwnCopy(preview: string, toolUseResult: unknown): string;
/** A text without the client's reminders, and those, with the line breaks that the client put around them. */
export interface Told {
    text: string;
    reminders: string[];
}
/**
 * Takes out the reminders that the client puts at the end or the begin of a tool's result for the model to see. What the
 * tool itself answered stays, also where it holds such words. So a reminder is taken out only where the tool numbers all
 * lines of its own (Read), or where `answered`, the client's own copy of the answer, does not have it. A result that is
 * nothing but a reminder stays: nothing else was answered.
 */
export declare function withoutReminders(text: string, tool: string | undefined, answered: unknown): Told;
