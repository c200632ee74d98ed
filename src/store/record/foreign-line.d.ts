import { type Message } from '../../session/schema.ts';
/**
 * Makes a message of a line that another program or a hand has written: role, content and timestamp are enough, as in
 * the design of version 1. Keys in the shapes that its documents use (`tool_calls: null`, `tokens: {count}`, `tool`,
 * `assistant`, `parentId`) become ours, and an optional key of any other shape is left out of the message; the line in
 * the file stays as it is. Undefined for anything else. An id that is missing is derived from role, time and content,
 * and from how many of the same there were `before`.
 */
export declare function messageOfForeign(value: unknown, before: (sameAs: string) => number): Message | undefined;
/** Whether a message has keys of another shape, which stand for some of ours. */
export declare function hasForeignKeys(message: Message): boolean;
