import type { Client } from './contract/client.ts';
/** Every client that Cortext knows. Adding one: README.md beside this file. */
export declare const clients: {
    readonly claude: Client;
    readonly opencode: Client;
    readonly gemini: Client;
    readonly codex: Client;
};
export type ClientId = keyof typeof clients;
/** Returns a client by its id. Throws `not-found` when no client has that id. */
export declare function clientOf(id: string): Client;
export declare function clientList(): Client[];
