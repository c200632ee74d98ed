/**
 * The canonical id of what a native record says. It depends only on the record's own id (uuids are global and a fork
 * keeps them), so it is the same on every machine and at every import. `parts` tell several messages of one record
 * apart.
 */
export declare function messageId(nativeId: string, ...parts: string[]): string;
