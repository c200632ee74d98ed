import type { Span } from '../scan.ts';
/**
 * What a command reads from the pipe before it: `echo … | docker login --password-stdin`, `echo me:… | chpasswd`,
 * `echo … | sudo -S`. `at` stands at the word that says so.
 */
export declare function pipedSecret(text: string, at: number): Span | undefined;
/** `htpasswd -b file me …`, and `htpasswd -nb me …`, which writes no file. `at` stands at `passwd`. */
export declare function htpasswd(text: string, at: number): Span | undefined;
