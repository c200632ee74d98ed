/** Part of the hook bundle: node's own modules only. */

/** node's own, loaded when it is first asked for: most commands hash nothing, and it takes a millisecond or two. */
export function crypto(): typeof import('node:crypto') {
  return process.getBuiltinModule('node:crypto')
}

/** In hexadecimal digits. */
export function sha256(data: string | Uint8Array): string {
  return crypto().createHash('sha256').update(data).digest('hex')
}
