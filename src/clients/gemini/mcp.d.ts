import type { Environment } from '../../io/environment.ts';
/** The names of the MCP servers that are configured for a folder: by the project, or for this person everywhere. */
export declare function mcpServers(environment: Environment, folder: string): string[];
