/**
 * Our server in `.mcp.json`. The client asks the person once whether the project's servers may be used (2.1.197).
 */
export declare const mcpEntry: import("../contract/settings.ts").OwnServer;
