import type { PackCommand, RenderedFile } from '../contract/pack.ts';
/** Renders `.opencode/commands/<name>.md`. A dot in the name is kept, and typed as it is (observed on 1.18.33). */
export declare function renderCommand(command: PackCommand): RenderedFile;
/** The plugin file, which is built from plugin/. */
export declare function pluginFile(shipped: (path: string) => string): RenderedFile;
/**
 * Expands a command like OpenCode: `$ARGUMENTS` is the raw text, and a body without it gets the arguments at its end.
 */
export declare function commandBody(command: PackCommand, args: string): string;
