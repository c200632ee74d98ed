import { type Fields } from '../transcript/fields.ts';
/**
 * Reads a client's settings file. Comments and trailing commas are allowed, as in OpenCode and Gemini CLI. The result
 * is empty when there is no file, or when it is malformed and only its owner can correct it. A link is followed, as the
 * client does: nothing of the file is shown or kept but what we ask for by name.
 */
export declare function readSettings(path: string): Fields;
/** The value of a dotted key, from the first of `paths` that has it, with the path of that file. */
export declare function settingOf(paths: readonly string[], key: string): {
    value: unknown;
    path: string;
} | undefined;
