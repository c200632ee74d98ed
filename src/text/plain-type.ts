/** The type of a conversation of which nobody said a type. It has no command, no instructions and no document. */
export const PLAIN_TYPE = 'chat'
