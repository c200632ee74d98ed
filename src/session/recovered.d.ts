import type { SessionFile } from './schema.ts';
/**
 * Builds a session from the path of its conversation when session.json is missing or cannot be read: id, type, a title
 * from the slug, the day. The rest derives from the messages at the next write.
 */
export declare function recoveredSession(path: string): SessionFile;
