/**
 * The folder with the shipped `commands/` and `templates/`. It is found by walking up from this file, so that it is the
 * package's own folder both from the source tree and from `dist/`.
 */
export declare function shippedPack(): string;
