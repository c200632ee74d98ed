import { isAbsolute, resolve } from 'node:path'
import { CortextError } from '../../errors.ts'

/**
 * Checks an address that a person gives, and makes a path in it absolute. Throws `usage` for a URL with a password, and
 * for what is no address.
 */
export function addressOf(text: string, cwd: string): string {
  const url = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)/i.exec(text)
  if (url !== null) {
    const [, protocol, host] = url
    if (/:.*@/.test(host!) || (/^https?$/i.test(protocol!) && host!.includes('@')))
      throw new CortextError('usage', 'the address has a password or a token in it; git would store it', {
        fix: 'use the address without it: git asks its credential helper; see git help credentials',
      })
    if (!/^(?:file|ssh|https?)$/i.test(protocol!))
      throw new CortextError(
        'usage',
        `cortext sync reaches places by file, ssh and https, not by ${protocol}`,
      )
    return text
  }
  if (text === '' || text.startsWith('-') || /[\u0000-\u001f]/.test(text) || /^\w+::/.test(text))
    throw new CortextError('usage', 'that is no address of a git repository')
  if (/^~[^/\\:]*(?:[/\\]|$)/.test(text))
    throw new CortextError('usage', 'the shell has not replaced the ~ of this path by a home folder', {
      fix: 'write it without quotes, or the whole path; a folder whose name begins so: ./~…',
    })
  // `host:path` is an address for ssh, as in git-clone(1), unless a slash comes before the colon or it is a drive.
  if (/^[^/\\]{2,}:/.test(text)) return text
  return isAbsolute(text) ? text : resolve(cwd, text)
}
