import type { Span, Verdict } from '../scan.ts'
import { captured, curlCookie } from './credentials.ts'
import { OPENING } from './values.ts'

/**
 * Finds passwords after a flag that means a password only with certain programs: `curl -u user:password`, `sshpass -p
 * password`, `mysql -ppassword`, `docker login -p password`, `redis-cli -a password`. `offset` points at the space
 * before the flag.
 */
export function commandSecret(text: string, offset: number): Verdict {
  let command: string | undefined
  for (const { program, flag } of COMMANDS) {
    flag.lastIndex = offset
    if (!flag.test(text)) continue
    command ??= commandBefore(text, offset)
    if (!program.test(command)) continue
    const span = captured(text, offset, flag, isPassword)
    if (span !== undefined) return span
  }
  return text.startsWith(' -b', offset) || text.startsWith(' --cookie', offset)
    ? curlCookie(text, offset)
    : undefined
}

/**
 * Like `commandSecret`, but in a list: `["mysql", "-uroot", "-ppassword"]`. `offset` points at the quote before the
 * flag.
 */
export function listedSecret(text: string, offset: number): Verdict {
  const command = listBefore(text, offset)
  return command === undefined ? undefined : passwordIn(command, text, offset)
}

/** The password in an item of a list of arguments. Its program is at most `MAX_ITEMS` items before it. */
export function passwordOfItem(items: readonly unknown[], index: number): Span | undefined {
  const item = items[index]
  const flag = items[index - 1]
  if (typeof item !== 'string' || typeof flag !== 'string' || item.length > 300 || flag.length > 300)
    return undefined
  if (item.startsWith('-')) return moveBack(passwordIn(wordsBefore(items, index), `"${item}"`, 0), 1)
  return flag.startsWith('-')
    ? moveBack(passwordIn(wordsBefore(items, index - 1), `"${flag}","${item}"`, 0), flag.length + 4)
    : undefined
}

function moveBack(span: Span | undefined, by: number): Span | undefined {
  return span && { ...span, start: span.start - by, end: span.end - by }
}

function wordsBefore(items: readonly unknown[], end: number): string {
  const before = items.slice(Math.max(0, end - MAX_ITEMS), end)
  return before.map((item) => (typeof item === 'string' ? item.slice(0, 60) : '')).join(' ')
}

const MAX_ITEMS = 20

function passwordIn(command: string, text: string, offset: number): Span | undefined {
  for (const { program, listed } of COMMANDS) {
    listed.lastIndex = offset
    if (!listed.test(text) || !program.test(command)) continue
    const span = captured(text, offset, listed, isPassword)
    if (span !== undefined) return span
  }
  return undefined
}

/**
 * A number of a few digits is a port, as in `docker run -p 8080`. Every SNMP device is sold with the passwords `public`
 * and `private`.
 */
function isPassword(value: string): boolean {
  return !/^(?:[0-9]{1,5}|public|private)$/.test(value)
}

/** The part of a command before its flag at `offset`. */
function commandBefore(text: string, offset: number): string {
  const near = text.slice(Math.max(0, offset - MAX_DISTANCE), offset)
  for (let index = near.length - 1; index >= 0; index--) {
    if (ENDS_COMMAND.has(near[index]!) && near[index - 1] !== '\\') return near.slice(index + 1)
  }
  return near
}

/**
 * The list items before `offset`, as a shell command writes them; undefined if there is no list, or it has other signs.
 */
function listBefore(text: string, offset: number): string | undefined {
  const near = text.slice(Math.max(0, offset - MAX_DISTANCE), offset)
  const start = near.lastIndexOf('[')
  const items = near.slice(start + 1)
  if (start < 0 || /[(){};|\]]/.test(items)) return undefined
  return items
    .replace(/(?:[\s"',]|\\{1,40}[nt"'])+/g, ' ')
    .replace(/\\{1,40}$/, '')
    .trim()
}

/** The maximum number of characters between the name of a program and its flag. */
const MAX_DISTANCE = 400
const ENDS_COMMAND = new Set('\n|;&')

const LOGINS =
  'docker|podman|helm|oras|crane|nerdctl|buildah|skopeo|az|oc|argocd|cf|heroku|doctl|ibmcloud|cloudctl|vault|npm|rclone|nats|expo|eas'
const MONGO = 'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport'
/** The user name and the colon before the password. */
const USER = '[^\\s:"\'\\\\[\\]]{1,100}:'

/** Between a flag and its password: nothing; a space, or in a list the border of two items; either of these, or `=`. */
const GAPS = {
  glued: { shell: '', list: '' },
  apart: { shell: ' ', list: '\\\\{0,40}["\'],\\s{0,40}\\\\{0,40}["\']' },
  either: { shell: '[ =]?', list: '(?:=|\\\\{0,40}["\'],\\s{0,40}\\\\{0,40}["\'])?' },
}

const COMMANDS = [
  command('curl|wget', '-[sSfkLvig]{0,6}u|--user|--proxy-user', 'either', USER),
  command('https?|xhs?', '-a|--auth', 'either', USER),
  command('sshpass', '-p', 'either', '', '$'),
  command('mysql|mysqldump|mysqladmin|mariadb|mariadb-dump', '-p', 'glued'),
  command(`(?:${LOGINS})(?: registry| acr| sp)? login|az ad sp create`, '-p', 'either'),
  command('redis-cli', '-a', 'either'),
  command('ldapsearch|ldapadd|ldapmodify|ldapwhoami', '-w', 'apart'),
  command(`${MONGO}|sqlcmd|rabbitmqadmin|amqp-publish`, '-[pP]', 'either'),
  command('bcp|osql', '-P', 'either'),
  command('openssl', '-(?:pass|passin|passout|password)', 'apart', 'pass:'),
  command('openssl', '-k', 'apart'),
  command('zip|unzip', '-P', 'either'),
  command('7z|7za|7zr|7zz|rar|unrar', '-h?p', 'glued'),
  command('lftp|ncftp', '-u', 'either', '[^\\s,"\'\\\\]{1,64},'),
  command('smbclient|rpcclient|smbget|smbmap|winexe|net', '-U|--user', 'either', '[^\\s%"\']{1,64}%'),
  command('nsupdate|rndc|dig', '-y', 'apart', '(?:hmac-\\w{2,10}:)?[^\\s:"\']{1,64}:'),
  command('snmp(?:walk|get|set|getnext|bulkget|bulkwalk|table|trap|inform|status|df)', '-[cAX]', 'either'),
  command('ipmitool|mosquitto_(?:pub|sub|rr)|ftp|telnet|amqp-consume', '-P', 'apart'),
  command(
    'cqlsh|cypher-shell|racadm|influx|clickhouse-client|beeline|mosquitto_passwd|xfreerdp|rdesktop|elasticsearch-users|az (?:sql|mysql|postgres|vm)[a-z -]{1,30}|evil-winrm|psexec|PsExec|hydra|crackmapexec|netexec|nxc|ncftp(?:put|get)',
    '-p',
    'either',
  ),
  command('winrm|winrs', '-p(?:assword)?:', 'glued'),
  command('ssh-keygen', '-N', 'apart'),
  command('twine', '-p', 'apart'),
  command('plink|pscp|psftp|addprinc|cpw', '-pw', 'apart'),
  command('etcdctl', '--user', 'either', USER),
  command('gh secret set', '-b|--body', 'either'),
]

/**
 * Patterns for the words before the flag (`program`), the flag with its password in a shell (`flag`), and both as items
 * of a list (`listed`). `before` precedes the password in its word; `after` follows the name of the program. In Markdown
 * or HTML, a command ends where its code ends.
 */
function command(
  programs: string,
  flags: string,
  gap: keyof typeof GAPS,
  before = '',
  after = '(?: |$)',
): { program: RegExp; flag: RegExp; listed: RegExp } {
  const value = `${before}((?:[^\\s"'\`\\\\<]|<(?!/)){4,200})`
  const { shell, list } = GAPS[gap]
  return {
    program: new RegExp(`(?:^|[^\\w-])(?:${programs})${after}`),
    flag: new RegExp(` (?:${flags})${shell}(?:${OPENING})?${value}(?=[\\s"'\`\\\\]|</|$)`, 'y'),
    listed: new RegExp(`["'](?:${flags})${list}${value}(?=\\\\{0,40}["'])`, 'y'),
  }
}
