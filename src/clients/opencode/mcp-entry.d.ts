/** Our server in `opencode.json`, which the client reads beside an `opencode.jsonc`. */
export declare const mcpEntry: import("../contract/settings.ts").OwnServer;
