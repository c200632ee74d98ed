import type { Message } from '../../session/schema.ts';
/**
 * The files of the workspace that the conversation's tool calls named, by workspace-relative path: `edited` or `read`.
 * A file that only a shell command names is not seen. A failed call does not count.
 */
export declare function touchedFiles(root: string, messages: readonly Message[]): Map<string, 'edited' | 'read'>;
