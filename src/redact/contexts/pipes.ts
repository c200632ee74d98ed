import { isPhrase, isSecretValue, kindOfValue } from '../judge.ts'
import type { Span } from '../scan.ts'
import { isStandIn } from '../stand-in.ts'
import { captured } from './credentials.ts'
import type { NamedPlace } from './named-place.ts'
import { OPENING } from './values.ts'

/**
 * Finds a secret that a command reads from a pipe: `echo … | docker login --password-stdin`, `echo me:… | chpasswd`,
 * `echo … | sudo -S`. `offset` points at `--password-stdin`, `passwd`, `sudo`, or at
 * words such as `secrets create`.
 */
export function pipedSecret(text: string, offset: number): Span[] | undefined {
  const from = Math.max(0, offset - MAX_DISTANCE)
  const match = PIPED.exec(text.slice(from, offset))
  if (match === null) return undefined
  const [, before, written, command] = match as unknown as [string, string, string, string]
  // `grep passwd` and `tee /etc/passwd` read no password, and `sudo -s` is a shell.
  if (/^passwd/i.test(text.slice(offset, offset + 6)) && !READS.test(command)) return undefined
  if (text.startsWith('sudo -s', offset)) return undefined
  const takesUser = command.endsWith('ch')
  const colon = written.indexOf(':')
  if (takesUser && colon < 0) return undefined
  const value = takesUser ? written.slice(colon + 1) : written
  if (value.length < 4 || isStandIn(value)) return undefined
  const start = from + match.index + before.length + written.length - value.length
  const first = { start, end: start + value.length, kind: kindOfValue(value) }
  const again = takesUser ? null : AGAIN.exec(match[0].slice(before.length + written.length))
  if (again === null || isStandIn(again[2]!)) return [first]
  const second = first.end + again[1]!.length
  return [first, { start: second, end: second + again[2]!.length, kind: kindOfValue(again[2]!) }]
}

/** Programs ask for a new password twice: `printf 'X\nX\n' | passwd`, `(echo X; echo X) | smbpasswd`. */
const AGAIN = /^(\\{0,8}["']?(?:\\{1,8}n|; ?echo )["']?)([^\s"'\\|$`;)]{4,200})/

/** `gcloud secrets create x --data-file=- <<< "…"`. `offset` points at `secrets`, `--password-stdin` or `sudo`. */
export function hereString(text: string, offset: number): Span | undefined {
  return captured(text, offset, HERE, (value) =>
    isSecretValue(value, { expected: 'password', form: 'quoted' }),
  )
}

const HERE = new RegExp(
  `(?:secrets |secret put |env add |--password-stdin|sudo -S|kinit )[^\\n<|]{0,200}<<<\\s?(?:${OPENING})?([^\\s"'\\\\]{4,4000})`,
  'y',
)

const MAX_DISTANCE = 300
const READS = /^(?:sudo )?(?:\/usr)?(?:\/s?bin\/)?(?:ch)?$/

/** A format of `printf` that prints its argument: `'%s\n'`. */
const FORMAT = '(?: \\\\{0,40}["\']?%s(?:\\\\{1,8}n)?\\\\{0,40}["\']?)?'

/** The last `echo` or `printf` before the bar, its output, and the command after the bar. */
const PIPED = new RegExp(
  `((?:echo|printf)(?: -[neE]{1,3})?${FORMAT} (?:${OPENING})?)([^\\s"'\\\\|$\`;]{4,200}|(?<=["'])[^"'\\\\|$\`\\n]{4,200})(?:\\\\{1,8}n[^"'|\\n]{0,200})?\\\\{0,40}["']?(?:; ?echo [^|\\n]{1,100}\\) )? ?\\| ?([^\\n|]{0,120})$`,
)

/** `echo … > config/master.key`: the file has the name of a secret. */
export function echoedSecret({ text, start }: NamedPlace): Span | undefined {
  const from = Math.max(0, start - MAX_DISTANCE)
  const near = text.slice(from, start)
  if ((!near.includes('echo') && !near.includes('printf')) || near.endsWith('/etc/')) return undefined
  const match = ECHOED.exec(near)
  const value = match?.[2] ?? match?.[3]
  if (match === null || value === undefined) return undefined
  if (!isPhrase(value) && (/\s/.test(value) || !isSecretValue(value, { expected: 'password', form: 'env' })))
    return undefined
  const at = from + match.index + match[1]!.length
  return { start: at, end: at + value.length, kind: kindOfValue(value) }
}

const ECHOED = new RegExp(
  `((?:echo|printf)(?: -[neE]{1,3})?${FORMAT} \\\\{0,8}["']?)(?:([^\\s"'\\\\|$\`>]{5,300})|(?<=["'])([^"'\\\\|$\`>\\n]{5,300}))\\\\{0,8}["']? ?(?:>{1,2}|\\| ?(?:sudo )?tee(?: -a)?) ?["']?[\\w.~/$:{}-]{0,80}$`,
)

/** `htpasswd -b file me …`, and `htpasswd -nb me …`, which writes no file. `offset` points at `passwd`. */
export function htpasswd(text: string, offset: number): Span | undefined {
  if (!text.startsWith('ht', offset - 2)) return undefined
  HTPASSWD.lastIndex = offset
  const match = HTPASSWD.exec(text)
  if (match === null) return undefined
  const [whole, flags, rest] = match as unknown as [string, string, string]
  if (!/-\w*b/.test(flags)) return undefined
  const words = [...rest.matchAll(WORD)]
  const password = words[/-\w*n/.test(flags) ? 1 : 2]
  if (password === undefined) return undefined
  const value = password[1]!
  if (value.length < 4 || isStandIn(value)) return undefined
  const start = offset + whole.length - rest.length + password.index + password[0].lastIndexOf(value)
  return { start, end: start + value.length, kind: kindOfValue(value) }
}

const FLAGS = '(?: -[A-Za-z]{1,6}| -C [0-9]{1,2}){1,5}'
const HTPASSWD = new RegExp(
  `passwd(${FLAGS})((?: (?:${OPENING})?[^\\s"'\\\\|;&<>-][^\\s"'\\\\|;&<>]{0,199}\\\\{0,40}["']?){2,3})`,
  'y',
)
const WORD = new RegExp(` (?:${OPENING})?([^\\s"'\\\\]{1,200})`, 'g')
