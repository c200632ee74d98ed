import type { Client } from '../contract/client.ts';
export declare const gemini: Client;
