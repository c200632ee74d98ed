import type { ToolVocabulary } from '../session/tool-use.ts';
/** What the tools of every client do, as data for whoever reads tool calls. */
export declare function toolVocabulary(): ToolVocabulary;
