/**
 * Makes a text with a command that a person may copy: each value that is put in becomes one word of a shell, quoted
 * where it has to be. So an id or a path that came with a clone is never more than a word. Every `fix` with a value in
 * it is made by this.
 */
export declare function paste(parts: TemplateStringsArray, ...values: readonly string[]): string;
/**
 * A value as one word of sh. What a terminal would obey or a program take for an option cannot be copied as it is: `<…>`
 * stands for it.
 */
export declare function asWord(value: string): string;
