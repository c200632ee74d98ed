import type { ToolCall } from './schema.ts';
/** What a tool can do with the thing that one of its arguments names. */
declare const DEEDS: readonly ['reads', 'writes', 'edits', 'removes', 'searches', 'patches', 'shell'];
export type Deed = (typeof DEEDS)[number];
/**
 * Maps what a tool does to the argument that names its object, or to a list when versions of the tool name it
 * differently. `reads` answers with a file, and `searches` with what it found below a path. `writes` gives a file its
 * whole content; `edits` and `removes` change or delete one. `patches` holds a patch (`*** Update File: …`), and
 * `shell` a command.
 */
export type ToolUse = {
    readonly [deed in Deed]?: string | readonly string[];
} & {
    /**
     * The tool takes the white space from the ends of the lines that it puts into a file, unless it is Markdown; and with a
     * text that it takes away the line break behind it.
     */
    readonly trims?: true;
};
/** The tools of a client by their names. Tools that touch neither files nor the shell may be missing. */
export type ClientTools = Readonly<Record<string, ToolUse>>;
/** The tools of every client, by its id. An id that is not a client's may hold names that other clients use. */
export type ToolVocabulary = Readonly<Record<string, ClientTools>>;
/** The client whose assistant called the tool; undefined when the message does not say which. */
export type CalledBy = string | undefined;
/**
 * What a tool does: by the client's own vocabulary, else by that of any client. For an MCP tool, `mcp__server__tool`,
 * the tool's own name counts. A tool that no vocabulary has is judged by the words of its name. `{}` when nothing is
 * known.
 */
export declare function useOf(tools: ToolVocabulary, name: string, client: CalledBy): ToolUse;
/**
 * The kind of a tool's result, if a vocabulary tells it. Nothing is guessed, and tools of MCP servers are not known.
 */
export declare function resultOf(tools: ToolVocabulary, name: string, client: CalledBy): 'reads' | 'searches' | 'shell' | undefined;
/**
 * The file or folder that a call names: by the tool's own argument for it, else by any argument that clients use for
 * one.
 */
export declare function pathOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined;
/** The command that a call passes to a shell; undefined when there is none. */
export declare function commandOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined;
/** The patch that a call applies; undefined when there is none. */
export declare function patchOf(tools: ToolVocabulary, call: ToolCall, client: CalledBy): string | undefined;
export {};
