/**
 * The text with accents and other marks taken off its letters, for comparing. Letters keep their case. Line breaks,
 * quotes and backslashes stay where they are, so that lines of JSON stay lines of JSON. Most texts come back as they
 * are.
 */
export declare function plain(text: string): string;
