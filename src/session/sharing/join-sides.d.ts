/**
 * Joins two versions of a session.json into one, by what both began with where that is known (`base`). The result is the
 * same from either side, so clones that merge each other come to the same file.
 *
 * A key that one side has changed is taken from there. Where both have, the side that was active last counts; sessions
 * of clients and tags are joined, and what was counted on both sides is added up. The counts derive from messages.jsonl
 * and are computed again when the conversation is looked at.
 *
 * Versions with different origins are different conversations that began under one name: the oldest is given, and the
 * others stand in its `merged`, whole.
 */
export declare function joinSides(ours: unknown, theirs: unknown, base?: unknown): unknown;
/** The oldest conversation first. In every clone the order is the same. */
export declare function byAge(a: Fields, b: Fields): number;
type Fields = Record<string, unknown>;
export {};
