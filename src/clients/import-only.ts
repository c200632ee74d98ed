/**
 * The ids of the clients whose sessions can only be imported, in a file of its own: lists of conversations need the ids
 * and load no client's code.
 */
export const IMPORT_ONLY = ['amp', 'kimi'] as const

export type ImportOnlyId = (typeof IMPORT_ONLY)[number]
