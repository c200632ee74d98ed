import type { Environment } from '../../io/environment.ts';
/**
 * The names of the MCP servers that are configured for a folder: by the project, for this person in it, or everywhere.
 */
export declare function mcpServers(environment: Environment, folder: string): string[];
