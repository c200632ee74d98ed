import { captured, curlCookie } from './credentials.ts'
import type { Verdict } from './scan.ts'

/**
 * Passwords behind a flag that only its program makes telling: `curl -u user:password`, `sshpass -p password`,
 * `mysql -ppassword`, `docker login -p password`, `redis-cli -a password`. `at` stands at the space before the flag.
 */
export function commandSecret(text: string, at: number): Verdict {
  const command = commandBefore(text, at)
  for (const { program, flag } of COMMANDS) {
    flag.lastIndex = at
    if (!flag.test(text) || !program.test(command)) continue
    const span = captured(text, at, flag, (value) => !/^[0-9]{1,5}$/.test(value))
    if (span !== undefined) return span
  }
  return text.startsWith(' -b', at) || text.startsWith(' --cookie', at) ? curlCookie(text, at) : undefined
}

/** The command that a flag at `at` belongs to, as far as it stands before the flag. */
function commandBefore(text: string, at: number): string {
  const near = text.slice(Math.max(0, at - FAR), at)
  for (let i = near.length - 1; i >= 0; i--) {
    if (ENDS_COMMAND.has(near[i]!) && near[i - 1] !== '\\') return near.slice(i + 1)
  }
  return near
}

/** How far before its flag the name of a program may stand. */
const FAR = 400
const ENDS_COMMAND = new Set('\n|;&')

/** A command in Markdown or HTML ends where its code does. */
const VALUE_ONLY = '((?:[^\\s"\'`\\\\<]|<(?!/)){4,200})(?=[\\s"\'`\\\\]|</|$)'
const VALUE = `\\\\*["']?${VALUE_ONLY}`

const COMMANDS = [
  command(
    'curl|wget|http',
    ` (?:-u|--user|--proxy-user)[ =]?\\\\*["']?[^\\s:"'\\\\[\\]]{1,100}:([^\\s"'\\\\]{4,200})(?![^\\s"'\\\\])`,
  ),
  command('sshpass', ` -p ?${VALUE}`, ' *$'),
  command('mysql|mysqldump|mysqladmin|mariadb', ` -p${VALUE}`),
  command(
    '(?:docker|podman|helm|oras|crane|nerdctl|buildah|skopeo|az|oc|argocd|cf|heroku|doctl|ibmcloud|cloudctl|vault|npm|rclone|nats|expo|eas)(?: registry| acr| sp)? login|az ad sp create',
    ` -p[ =]?${VALUE}`,
  ),
  command('redis-cli', ` -a[ =]?${VALUE}`),
  command('ldapsearch|ldapadd|ldapmodify|ldapwhoami', ` -w ${VALUE}`),
  command(
    'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|sqlcmd|rabbitmqadmin|amqp-publish',
    ` -[pP][ =]?${VALUE}`,
  ),
  command('sqlcmd|bcp|osql', ` -P ?${VALUE}`),
  command('openssl', ` -(?:(?:pass|passin|passout|password) \\\\*["']?pass:|k \\\\*["']?)${VALUE_ONLY}`),
  command('zip|unzip', ` -P ?${VALUE}`),
  command('7z|7za|7zr|7zz|rar|unrar', ` -h?p${VALUE}`),
]

/** `behind` is what the command says behind the name of the program, before the flag. */
function command(programs: string, flag: string, behind = '(?: |$)'): { program: RegExp; flag: RegExp } {
  return { program: new RegExp(`(?:^|[^\\w-])(?:${programs})${behind}`), flag: new RegExp(flag, 'y') }
}
