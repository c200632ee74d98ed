import { CortextError } from '../../errors.ts';
export type JsonObject = Record<string, unknown>;
/**
 * Parses a text into an object; an empty text gives an empty object. Throws `corrupt` with the path for anything else.
 */
export declare function parseJsonObject(text: string, path: string): JsonObject;
/**
 * Writes an object as text in the format of the old text: its indentation, line breaks, BOM and last newline. Without
 * an old text: two spaces and a last newline.
 */
export declare function formatLike(value: JsonObject, old: string | undefined): string;
export declare function isObject(value: unknown): value is JsonObject;
export declare function corrupt(path: string, what: string, cause?: unknown): CortextError;
