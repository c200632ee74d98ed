import type { Client } from '../contract/client.ts';
/** The plugin adds our permissions to the person's own when OpenCode starts, so no settings file is touched. */
export declare const opencode: Client;
