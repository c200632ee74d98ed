import { GREETS } from './title.ts'

/**
 * Whether a prompt is one word that asks for something, or a mere command that is about the project, such as `/init`. Of a
 * session without another request it tells most.
 */
export function isShortRequest(prompt: string): boolean {
  const word = prompt.replace(/\s*\.$/, '')
  if (/^\/[a-z][\w:-]*$/.test(word)) return !OF_CLIENT.test(word)
  return /^\p{L}{3,20}$/u.test(word) && !GREETS.test(word) && !AGREES.test(word)
}

const AGREES =
  /^(?:yes|yep|yeah|sure|okay|fine|good|great|thanks|continue|proceed|exit|quit|stop|test|testing)$/i

/** Commands that are about the client. */
const OF_CLIENT =
  /^\/(?:agents|auth|clear|compact|config|context|continue|cost|doctor|exit|export|fast|help|hooks|ide|login|logout|mcp|memory|model|models|new|permissions|plugin|quit|rename|resume|rewind|settings|skills|stats|status|statusline|theme|undo|upgrade|usage|vim|workspace.*)$/
