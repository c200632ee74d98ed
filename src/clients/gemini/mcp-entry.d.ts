/** Our server in the project's settings, where our hooks are too. */
export declare const mcpEntry: import("../contract/settings.ts").OwnServer;
