import type { AskAnswer } from '../../contract/questions.ts';
/** What the clients' `ask` functions share. */
/**
 * The answer as AskAnswer. Undefined where the text is empty. Token counts that are not numbers, or are zero, are left
 * out.
 */
export declare function answerOf(text: string, { model, read, wrote }: {
    model?: string | undefined;
    read: unknown[];
    wrote: unknown[];
}): AskAnswer | undefined;
/** Returns an object as it is, or parsed from its JSON; {} for anything else. */
export declare function objectIn(value: unknown): Record<string, unknown>;
/** Keeps clients from reading files that a prompt mentions (`@path`), by writing the sign in its wide form. */
export declare function withoutMentions(text: string): string;
export declare function withMentions(text: string): string;
