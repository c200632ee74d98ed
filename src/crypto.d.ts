/** This file is part of the hook bundle: it imports only node's own modules. */
/**
 * Node's own crypto. It loads at the first call: most commands hash nothing, and loading takes a millisecond or two.
 */
export declare function crypto(): typeof import('node:crypto');
/** The SHA-256 in hexadecimal digits. */
export declare function sha256(data: string | Uint8Array): string;
