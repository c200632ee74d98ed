import type { PackCommand, RenderedFile } from '../contract/pack.ts';
/** Renders `.claude/commands/<name>.md`. A dot in the name is kept, and typed as it is (observed on 2.1.197). */
export declare function renderCommand(command: PackCommand): RenderedFile;
/**
 * Expands a command like Claude Code: `$ARGUMENTS` is the raw text, and a body without it gets the arguments at its
 * end.
 */
export declare function commandBody(command: PackCommand, args: string): string;
