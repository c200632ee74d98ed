/**
 * What tells a conversation from another one that began under the same name in another clone. It stands in session.json
 * and on every line of messages.jsonl, so a merge of the two can be told apart whatever git made of it.
 */
export declare function newOrigin(): string;
/** Whether a text can be an origin. A record may come from anybody. */
export declare function isOrigin(text: string | undefined): text is string;
/** The origin of an imported session: the same on every machine, since what two machines import is one conversation. */
export declare function originOf(client: string, nativeId: string): string;
