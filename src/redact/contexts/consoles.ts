import { isSecretValue, kindOfValue } from '../judge.ts'
import { expectationOf } from '../names.ts'
import type { Span } from '../scan.ts'
import { isStandIn } from '../stand-in.ts'
import { OPENING } from './values.ts'

/**
 * Finds a password that a statement of a console has at a fixed place, without a name before it: `AUTH …` of redis,
 * `sqlplus me/…@db`, `rabbitmqctl add_user me …`, `##vso[task.setvariable variable=X;issecret=true]…`. `word` is one of
 * CONSOLE_WORDS, and is at `offset`.
 */
export function consoleSecret(text: string, offset: number, word: string): Span[] | undefined {
  if (word.startsWith('@')) return dataSource(text, offset)
  const spans: Span[] = []
  for (const pattern of STATEMENTS[word] ?? []) {
    pattern.lastIndex = offset
    const match = pattern.exec(text)
    const value = match?.groups?.value
    if (match === null || value === undefined || !isPassword(value, match)) continue
    const start = offset + match[0].lastIndexOf(value)
    // The forms of a statement exclude each other, but for those of a second password.
    if ((spans.at(-1)?.end ?? 0) <= start)
      spans.push({ start, end: start + value.length, kind: kindOfValue(value) })
  }
  return spans.length > 0 ? spans : undefined
}

const QUOTE = `(?:${OPENING})?`
const VALUE = '(?<value>[^\\s"\'`\\\\<>|]{5,200})(?=[\\s"\'`\\\\<]|$)'
/** The start of a line or a string, perhaps after a prompt (`127.0.0.1:6379> `, `C: `). */
const PROMPT = '(?:^|\\n|\\\\n|["\'`$>#]|[CS]:)[ \\t]{0,8}'
const LINE_END = '(?=[ \\t;]{0,4}(?:$|\\r?\\n|\\\\+[rn"\'`]|["\'`<]))'
/** The user and the password, after which an `@` and a host may follow. */
const ORACLE_USER = `(?: -\\w{1,9}| target| userid=){0,4} ?${QUOTE}[\\w$#]{1,60}/"?(?<value>[^\\s"'\`\\\\<>|]{5,128}?)(?="?@[\\w./:-]{1,100}(?:[\\s"'\`\\\\;]|$)|"?(?:[\\s"'\`\\\\;]|$))`
const ORACLE_HOST = `(?:"?@\\S{1,100})?(?: as sys\\w{2,6})?${LINE_END}`
const REDIS_USER = `auth (?:[\\w.-]{1,60} )?${QUOTE}${VALUE}${LINE_END}`
const RABBIT_USER = `(?<=rabbitmqctl [^\\n]{0,100})${QUOTE}[^\\s"'<{]{1,100}["']? ${QUOTE}${VALUE}`

/** The forms of a statement by the word that begins it. */
const STATEMENTS: Readonly<Record<string, readonly RegExp[]>> = {
  'auth ': [
    statement(`AUTH (?<=(?:${PROMPT}|HELLO 3 )AUTH )(?:[\\w.-]{1,60} )?${QUOTE}${VALUE}${LINE_END}`, 'y'),
    statement(`(?<=redis(?:-cli [^\\n]{0,100}|> )|:[0-9]{2,5}(?:\\[[0-9]{1,2}\\])?> )${REDIS_USER}`),
  ],
  'setuser ': [statement(`setuser \\S{1,100}(?: [^\\s>]\\S{0,60}){0,10} >${VALUE}`)],
  'sqlplus ': [statement(`sqlplus${ORACLE_USER}`)],
  'sqlldr ': [statement(`sqlldr${ORACLE_USER}`)],
  'expdp ': [statement(`expdp${ORACLE_USER}`)],
  'impdp ': [statement(`impdp${ORACLE_USER}`)],
  'rman ': [statement(`rman${ORACLE_USER}`)],
  'conn ': [statement(`conn(?<=${PROMPT}conn)${ORACLE_USER}${ORACLE_HOST}`)],
  'connect ': [statement(`connect(?<=${PROMPT}connect)${ORACLE_USER}${ORACLE_HOST}`)],
  'add_user ': [statement(`add_user ${RABBIT_USER}`)],
  'change_password ': [statement(`change_password ${RABBIT_USER}`)],
  'authenticate_user ': [statement(`authenticate_user ${RABBIT_USER}`)],
  'pass ': [
    // FTP and POP3, after the line of the user
    statement(
      `PASS (?<=USER [^\\n]{1,100}(?:\\n|\\\\n)(?:[^\\n]{0,100}(?:\\n|\\\\n))?[ \\t]{0,8}(?:[CS>]:? )?PASS )${VALUE}${LINE_END}`,
      'y',
    ),
  ],
  // IMAP
  'login ': [
    statement(
      `LOGIN (?<=(?:^|\\n|["'\`>]|[CS]: ?)[ \\t]{0,4}[A-Za-z]{0,3}[0-9]{1,5} LOGIN )"?[^\\s"']{1,100}"? "?${VALUE}${LINE_END}`,
      'y',
    ),
  ],
  'vault login ': [statement(`vault login (?:-[\\w=-]{1,40} ){0,3}${QUOTE}${VALUE}`)],
  'cloudflared service install ': [statement(`cloudflared service install ${QUOTE}${VALUE}`)],
  'cargo login ': [statement(`cargo login (?:-[\\w=-]{1,40} ){0,3}${QUOTE}${VALUE}`)],
  'wandb login ': [statement(`wandb login (?:-[\\w=-]{1,40} ){0,3}${QUOTE}${VALUE}`)],
  'snyk auth ': [statement(`snyk auth ${QUOTE}${VALUE}`)],
  'rclone obscure ': [statement(`rclone obscure ${QUOTE}${VALUE}`)],
  'mc alias set ': [statement(`mc alias set \\S{1,60} https?://\\S{1,100} \\S{1,100} ${QUOTE}${VALUE}`)],
  // What a script of expect answers
  'send ': [
    statement(
      `send (?<=ass(?:word|phrase)[^;]{0,40}[;\\s{]{1,20}send )(?:-- )?${OPENING}(?<value>[^\\s"'\\\\]{5,200})(?=\\\\{1,8}[rn])`,
    ),
  ],
  // The text of a QR code
  'wifi:': [statement(`wifi:(?:[^\\s"';]{1,60};){0,5}P:(?<value>[^\\s;"']{5,100})(?=;)`)],
  'net user ': [statement(`net user ${QUOTE}[\\w.\\\\-]{1,60}["']? ${QUOTE}(?![/*])${VALUE}`)],
  'net use ': [
    statement(
      `net use (?:[\\w*]:? )?\\\\\\S{1,100}(?: /user:\\S{1,60})? ${QUOTE}(?![/*\\\\])${VALUE}(?:(?= /)|${LINE_END})`,
    ),
  ],
  ' /p:': [statement(`(?<=freerdp[^\\n]{0,200}) /p:${QUOTE}${VALUE}`)],
  ' /rp ': [statement(`(?<=schtasks [^\\n]{0,200}) /rp ${QUOTE}${VALUE}`)],
  'wpa_passphrase ': [statement(`wpa_passphrase ${QUOTE}[^"'\\n]{1,32}?["']? ${QUOTE}${VALUE}${LINE_END}`)],
  // Routers, IPsec and SNMP
  'snmp-server community ': [statement(`snmp-server community ${VALUE}`)],
  '-server ': [statement(`(?<=radius|tacacs)-server [^\\n]{0,80}?key (?:[0-9] )?${VALUE}`)],
  'enable ': [statement(`enable (?:secret|password) (?:level [0-9]{1,2} )?(?:[0-9] )?${VALUE}${LINE_END}`)],
  'username ': [
    statement(
      `username \\S{1,60} (?:privilege [0-9]{1,2} )?(?:secret|password) (?:[0-9] )?${VALUE}${LINE_END}`,
    ),
  ],
  'message-digest-key ': [statement(`message-digest-key [0-9]{1,3} md5 (?:[0-9] )?${VALUE}`)],
  'authentication-key ': [statement(`authentication-key (?:[0-9]{1,5} md5 )?${QUOTE}${VALUE}`)],
  'key-string ': [statement(`key-string (?:[0-9] )?${VALUE}${LINE_END}`)],
  'isakmp key ': [statement(`isakmp key (?:[0-9] )?${VALUE}`)],
  'pre-shared-key ': [statement(`pre-shared-key (?:local |remote |ascii-text |[0-9] ){0,2}${QUOTE}${VALUE}`)],
  'psksecret ': [statement(`psksecret ${QUOTE}${VALUE}`)],
  'auth_pass ': [statement(`auth_pass ${QUOTE}${VALUE}${LINE_END}`)],
  'insecure-password ': [statement(`insecure-password ${QUOTE}${VALUE}`)],
  'rocommunity ': [statement(`rocommunity6? ${QUOTE}${VALUE}`)],
  'rwcommunity ': [statement(`rwcommunity6? ${QUOTE}${VALUE}`)],
  'createuser ': [statement(`createuser [\\w.-]{1,40} (?:SHA|MD5)[-0-9]{0,4} ${QUOTE}${VALUE}`)],
  'aes ': [statement(`(?<=createuser [^\\n]{1,120} )aes ${QUOTE}${VALUE}`)],
  // `me : XAUTH "…"`, as ipsec.secrets has it
  ': xauth ': [statement(`: xauth ${QUOTE}${VALUE}`)],
  ': eap ': [statement(`: eap ${QUOTE}${VALUE}`)],
  ': ntlm ': [statement(`: ntlm ${QUOTE}${VALUE}`)],
  ': psk ': [statement(`: psk ${QUOTE}${VALUE}`)],
  // Files of passwords: `user me on >… ~*` of redis, `mail.example.org:587 me:…`
  'on >': [statement(`(?<=user \\S{1,60} )on >${VALUE}`)],
  ':587 ': [statement(`:587 [^\\s:]{1,80}:${VALUE}${LINE_END}`)],
  ':465 ': [statement(`:465 [^\\s:]{1,80}:${VALUE}${LINE_END}`)],
  ':25 ': [statement(`:25 [^\\s:]{1,80}:${VALUE}${LINE_END}`)],
  // The registry of Windows
  '/v ': [
    statement(
      `(?<=reg(?:\\.exe)? add [^\\n]{1,200})/v ["']?\\w{0,40}(?:passw|secret|token|apikey|credential|pin)\\w{0,20}["']?(?: /t \\w{1,12})? /d ${QUOTE}${VALUE}`,
    ),
  ],
  // Command lines with a password at a fixed place
  'key content': [statement(`key content {1,20}: {1,4}${VALUE}`)],
  schlüsselinhalt: [statement(`schlüsselinhalt {1,20}: {1,4}${VALUE}`)],
  'user:password ': [statement(`user:password \\S{1,60} ${QUOTE}${VALUE}`)],
  '--encrypt ': [
    // The password of the user, which may be empty, and that of the owner
    statement(`(?<=qpdf[^\\n]{0,100})--encrypt ${QUOTE}${VALUE}`),
    statement(
      `(?<=qpdf[^\\n]{0,100})--encrypt (?:(?:\\\\*["']){2}|${QUOTE}[^\\s"'\\\\]{1,200}(?:\\\\*["'])?) ${QUOTE}${VALUE}`,
    ),
  ],
  'input_pw ': [statement(`input_pw ${QUOTE}${VALUE}`)],
  'owner_pw ': [statement(`owner_pw ${QUOTE}${VALUE}`)],
  'user_pw ': [statement(`user_pw ${QUOTE}${VALUE}`)],
  'http-basic.': [statement(`http-basic\\.\\S{1,80} [^\\s:="']{1,60} ${QUOTE}${VALUE}`)],
  'bundle config ': [statement(`bundle config (?:set )?(?:--\\w{1,10} )?\\S{1,80} [\\w.-]{1,40}:${VALUE}`)],
  'securestring ': [statement(`securestring [^\\n]{0,100}--value ${QUOTE}${VALUE}`)],
  // `the login is there (admin/…)`
  'admin/': [statement(`(?<=\\s\\()admin/(?<value>[^\\s"'\`\\\\<>|()]{6,60})(?=\\))`)],
  // The vault of Azure
  '.vault.azure.net/secrets/': [
    statement(
      `\\.vault\\.azure\\.net/secrets/[^"{}]{1,200}"[^{}]{0,400}?"value"\\s?:\\s?"(?<value>[^"\\\\\\n]{5,400})(?=")`,
    ),
  ],
  // What a shell gives to `passwd` and `chpasswd`
  'passwd ': [
    statement(`passwd [^\\n<]{0,60}<<-?\\s?["']?\\w{1,20}["']?\\n(?<value>\\S{5,100})(?=\\n)`),
    statement(
      `passwd [^\\n<]{0,60}<<-?\\s?["']?(?<word>\\w{1,20})["']?\\n\\S{1,100}\\n(?<value>(?!\\k<word>\\n)\\S{5,100})(?=\\n)`,
    ),
  ],
  // ADO of Visual Basic
  '.open "': [statement(`\\.open "[^"\\n]{1,200}", ?"[^"\\n]{1,80}", ?"${VALUE}`)],
  // The answer to the prompt `Password:`, in base64
  '334 ugfzc3dvcmq6': [
    statement(
      `334 UGFzc3dvcmQ6(?:\\r?\\n|\\\\[rn]{1,3})[ \\t]{0,4}(?:[<~*=C-]{0,3}[>:] )?(?<value>[A-Za-z0-9+/]{6,200}={0,2})(?=\\s|\\\\|$)`,
    ),
  ],
  // What programs say that made a password
  'new value: ': [statement(`(?<=pass(?:word|code|phrase)[^\\0]{0,160})new value: ${QUOTE}${VALUE}`)],
  // Sessions of password managers
  'bw_session=': [statement(`bw_session=${QUOTE}${VALUE}`)],
  op_session_: [statement(`op_session_\\w{1,60}=${QUOTE}${VALUE}`)],
  // Azure DevOps and GitHub
  '##vso[task.setvariable ': [
    statement(
      `##vso\\[task\\.setvariable variable=(?<name>[\\w.-]{1,80})(?<flags>[^\\]\\n]{0,80})\\]${QUOTE}${VALUE}`,
    ),
  ],
  '::add-mask::': [statement(`::add-mask::${VALUE}`)],
}

/** Begin a statement, or the host of a data source. */
export const CONSOLE_WORDS: readonly string[] = [...Object.keys(STATEMENTS), '@tcp(', '@unix(']

function statement(source: string, flags = 'iy'): RegExp {
  return new RegExp(source, flags)
}

function isPassword(value: string, { groups }: RegExpExecArray): boolean {
  if (groups!.name !== undefined) {
    const isSecret = /issecret=true/i.test(groups!.flags!) || expectationOf(groups!.name) !== undefined
    return isSecret && !isStandIn(value) && !value.includes('://')
  }
  return isSecretValue(value, { expected: 'password', form: value.length >= 8 ? 'env' : 'line' })
}

/** `me:…@tcp(db:3306)/app`, as drivers of Go write the place of a database. `offset` points at the `@`. */
function dataSource(text: string, offset: number): Span[] | undefined {
  const value = BEFORE_HOST.exec(text.slice(Math.max(0, offset - 120), offset))?.[1]
  return value === undefined || isStandIn(value)
    ? undefined
    : [{ start: offset - value.length, end: offset, kind: kindOfValue(value) }]
}

const BEFORE_HOST = /(?<![\w.-])[\w.-]{1,64}:([^\s"'`\\]{1,100})$/
