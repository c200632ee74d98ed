import { type Fields } from '../transcript/fields.ts';
/**
 * Reads a client's settings file. The result is empty when there is no file, or when it is no TOML, with which Codex CLI
 * does not start either. A link is followed, as the client does: nothing of the file is shown or kept but what
 * we ask for by name.
 */
export declare function readToml(path: string): Fields;
