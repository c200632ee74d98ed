import type { NamedPlace } from './named-place.ts'

/** Whether a value may follow its name without a sign: after a flag, in .netrc, in SQL. */
export function isSpaced(
  { text, start, name }: NamedPlace,
  open: string | undefined,
  between: string,
): boolean {
  if (between.length > 4 || /[^ \t]/.test(between)) return false
  if (name.startsWith('-')) return true
  const before = text.slice(Math.max(0, start - 120), start)
  if (SETS.test(before) || isDirective(name, before)) return true
  return open === undefined ? NETRC.test(before) : !open.endsWith('`') && SQL.test(before)
}

/**
 * `ENV NAME …` of a Dockerfile, `set -x NAME …` of fish, `setx NAME …` of Windows, `#define NAME …` of C,
 * `proxy_set_header NAME …` of nginx, `SetEnv NAME …` of Apache, `set(NAME …` of CMake, `aws configure set NAME …`, and
 * `{:name …` of Clojure; `CONFIG SET name …` of redis and others, `consul kv put path/name …`, `nmcli … password …`.
 */
const SETS =
  /(?<![\w$])ENV[ \t]{1,8}$|\bset -[A-Za-z]{1,4} $|\bsetx $|#[ \t]?define[ \t]{1,4}$|\b(?:proxy_set|add)_header[ \t]{1,4}$|\bSetEnv[ \t]{1,8}$|\bconfigure set $|\b(?:config|CONFIG|user-secrets) (?:set|SET) (?:\\*["'])?[\w/.:-]{0,80}$|\bkv put [\w/.:-]{0,80}$|\b(?:nmcli|rclone config) [^\n]{1,100} $|\b[Ss][Ee][Tt]\([ \t]{0,4}$|[{\s(]:$|\((?:setq|setf|def|defvar|defparameter|define)[ \t]{1,4}$/

/** Whether the name begins a line of redis.conf, ldap.conf, a kickstart file or Gradle. */
function isDirective(name: string, before: string): boolean {
  return (
    /^(?:requirepass|masterauth|bindpw|rootpw|storePassword|keyPassword)$/.test(name) &&
    /(?:^|\n|\\n|["'`])[ \t+-]{0,8}$/.test(before)
  )
}

/** Matches `login <user>` or `machine <host>` right before the name. */
const NETRC = /\b(?:login|machine)[ \t\r\n]+\S{1,64}[ \t\r\n]+$/
/** `ALTER USER me WITH PASSWORD '…'`. `IDENTIFIED BY …` has a trigger of its own. */
const SQL = /\b(?:create|alter) (?:user|role|login)\b[^;\n]{0,100}$|\bset $|\boptions ?\([^;\n]{0,100}$/i
