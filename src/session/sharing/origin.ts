import { crypto, sha256 } from '../../hash.ts'

/**
 * Makes a text that distinguishes a conversation from one that began under the same name in another clone. It is in
 * session.json and on each line that the conversation adds to messages.jsonl, so the two conversations can be separated
 * whatever a merge in git made of these files.
 */
export function newOrigin(): string {
  return crypto().randomBytes(6).toString('hex')
}

/** Whether a text can be an origin. A record may come from anybody. */
export function isOrigin(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9]{8,64}$/.test(text)
}

/**
 * The origin of an imported session. It is the same on every machine, so that imports of a session on two machines make
 * one conversation.
 */
export function originOf(client: string, nativeId: string): string {
  return sha256(`import\n${client}\n${nativeId}`).slice(0, 12)
}
