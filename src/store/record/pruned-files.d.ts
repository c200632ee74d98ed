import type { PrunedEvent } from '../../session/pruning/event.ts';
/** The archive files of a conversation folder, by their path below `.session/`. Throws `unsafe-path`. */
export declare function prunedFilesIn(folder: string): string[];
/** The archive file that an event names, by its path below the conversation's folder. */
export declare function prunedFile({ archive }: Pick<PrunedEvent, 'archive'>): string;
