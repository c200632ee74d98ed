import type { PackCommand, RenderedFile } from '../contract/pack.ts';
/**
 * Renders `.gemini/commands/<name>.toml`. A dot in the name is kept, and typed as it is (0.61.0). The first line says
 * what was typed, because the hook before a turn is given only the expanded text. That line must not begin with a
 * slash, or the client leaves the message out when the session is resumed.
 */
export declare function renderCommand(command: PackCommand): RenderedFile;
/** Expands a command like Gemini CLI, without the first line. */
export declare function commandBody(command: PackCommand, args: string): string;
