/** What a text of role user is. Claude Code writes many texts of its own under that role, in tags. */
export type Typed = {
    kind: 'prompt';
    text: string;
}
/** A slash command that was expanded and sent to the model. */
 | {
    kind: 'command';
    text: string;
}
/** A slash command that ran in the client, or that the client refused. With words, a person said something by it. */
 | {
    kind: 'local-command';
    text: string;
    hasWords: boolean;
} | {
    kind: 'local-command-output';
    failed: boolean;
}
/** `! cmd`: the client ran it and then showed it to the model. */
 | {
    kind: 'shell-input';
    text: string;
} | {
    kind: 'shell-output';
    text: string;
    failed: boolean;
}
/** The end of a background task, which the client told the model. */
 | {
    kind: 'task-notification';
    text: string;
} | {
    kind: 'caveat';
} | {
    kind: 'interruption';
}
/** What the client writes behind a prompt that a hook has stopped. A person may type it, too. */
 | {
    kind: 'stopped-by-hook';
    text: string;
};
/** Sorts one text. A text without a known tag is a prompt, byte for byte. */
export declare function sortTyped(text: string): Typed;
