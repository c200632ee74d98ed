import { isFormWord } from './form-words.ts'
import { isConvincing, isInventedPassword, isPhrase, kindOfValue } from './judge.ts'
import { expectationOf } from './names.ts'
import { type Found, placeholder } from './placeholder.ts'
import { isRandom } from './random.ts'
import { isStandIn } from './stand-in.ts'

/**
 * What a command prints: `value` if the output is a secret and nothing else, `first` if its first line is, `fields` if
 * it is a record that has the secret in a field. `named`: the command has the name of a secret, and what it prints is
 * one if it looks like one.
 */
export type Asked = 'value' | 'first' | 'fields' | 'named'

/** What the arguments of a tool call ask for, if that is a secret. */
export function askedBy(given: unknown): Asked | undefined {
  const command = commandIn(given)
  if (command === '' || !MAY_ASK.test(command)) return undefined
  // Whatever the output goes to, it is not what the call returns.
  if (/>\s?[\w./~$"'-]/.test(command.replace(/[0-9&]?>{1,2} ?(?:\/dev\/\S{1,20}|&[0-9])/g, '')))
    return undefined
  if (FIRST.test(command) || /\bargocd admin initial-password/.test(command)) return 'first'
  if (VALUE.test(command) || asksByName(command) || readsKeyFile(command)) return 'value'
  if (FIELDS.test(command)) return 'fields'
  return namesSecret(command) ? 'named' : undefined
}

/** The texts of a call's arguments. Some clients give a command as a list of words. */
function commandIn(given: unknown): string {
  if (typeof given === 'string') return given.slice(0, MAX_COMMAND)
  if (given === null || typeof given !== 'object') return ''
  const { command, cmd, script, file_path: file, path } = given as Record<string, unknown>
  const said = command ?? cmd ?? script
  const words = Array.isArray(said) ? said.filter((word) => typeof word === 'string').join(' ') : said
  if (typeof words === 'string') return words.slice(0, MAX_COMMAND)
  const read = file ?? path
  return typeof read === 'string' && !('content' in given) ? `cat ${read.slice(0, MAX_COMMAND)}` : ''
}

const MAX_COMMAND = 4000
const START = '(?:^|[\\s;&|("\'`])'

/** A quick look: nearly all commands have none of these words. */
const MAY_ASK =
  /pass|psk|secret|token|key|vault|lookup|\bop |\bbw |bitwarden|doppler|chamber|openssl rand|pwgen|apg|urandom|config:get|terraform|tofu|pulumi|printenv|credential/i

/** The first line is the secret; notes may follow. */
const FIRST = new RegExp(
  `${START}(?:pass(?: show)?|gopass(?: show)?)(?: -[\\w-]{1,20})* (?!ls|list|find|grep|git|init|insert|generate|edit|rm|mv|cp|show$)[\\w.@-]{1,60}(?:/[\\w.@-]{1,60}){0,6}\\s*(?:$|[;&|)"'\`])`,
)

/** Commands that print a secret and nothing else. */
const VALUE = new RegExp(
  `${START}(?:${[
    'op read ',
    'op item get [^\\n|]{0,200}--(?:fields?|otp)',
    'bw get (?:password|totp|notes)',
    'rbw get ',
    'lpass show [^\\n|]{0,100}--password',
    'keepassxc-cli show [^\\n|]{0,200}-(?:a|-attributes) ?[Pp]assword',
    'secret-tool lookup ',
    'keyring get ',
    'security find-(?:generic|internet)-password [^\\n|]{0,200}-w',
    'vault (?:kv get|read) [^\\n|]{0,200}-field',
    'bao (?:kv get|read) [^\\n|]{0,200}-field',
    'vault print token',
    'aws secretsmanager get-secret-value [^\\n]{0,300}(?:--query|jq )',
    'aws ssm get-parameter [^\\n]{0,200}--with-decryption[^\\n]{0,200}(?:--query|jq )',
    'aws (?:ecr|ecr-public) get-login-password',
    'aws rds generate-db-auth-token',
    'gcloud secrets versions access ',
    'gcloud auth (?:application-default )?print-(?:access|identity)-token',
    'gh auth token',
    'glab auth token',
    'az keyvault secret show [^\\n]{0,300}(?:--query|-o tsv|jq )',
    'az account get-access-token [^\\n]{0,200}(?:--query|-o tsv)',
    'az [a-z -]{1,40}(?:credential|keys?|password|connection-string) (?:show|list)[a-z-]{0,20} [^\\n]{0,300}(?:--query|-o tsv)',
    '(?:kubectl|oc|k) [^\\n|]{0,200}get secrets?[ /][^\\n]{0,300}(?:jsonpath|template|base64|jq )',
    'kubectl [^\\n|]{0,100}create token ',
    'oc whoami -t',
    'doppler secrets get [^\\n|]{0,200}--plain',
    'chamber read [^\\n|]{0,200}-q',
    'infisical secrets get [^\\n|]{0,200}--plain',
    'pulumi config get [^\\n|]{0,200}(?:[Pp]assw|[Ss]ecret|[Tt]oken|[Kk]ey)',
    'docker swarm join-token -q',
    'kubeadm token create',
    'openssl rand -(?:hex|base64)',
    'pwgen ',
    'apg ',
    '(?:head|tr|dd) [^\\n]{0,80}/dev/u?random',
    'ansible-vault decrypt [^\\n|]{0,200}--output[ =]-',
  ].join('|')})`,
)

/** Commands that print a record with the secret in one of its fields. */
const FIELDS = new RegExp(
  `${START}(?:${[
    'az keyvault secret show',
    'aws secretsmanager get-secret-value',
    'aws ssm get-parameters?(?:-by-path)? [^\\n]{0,300}--with-decryption',
    'vault (?:kv get|read) ',
    'bao (?:kv get|read) ',
    'op item get ',
    'bw get item ',
    'doppler secrets',
    '(?:kubectl|oc|k) [^\\n|]{0,200}get secrets? [^\\n]{0,200}-o ?(?:yaml|json)',
    '(?:terraform|tofu) output -json',
    'pulumi stack output [^\\n]{0,100}--show-secrets',
  ].join('|')})`,
)

/** `heroku config:get DB_PASSWORD`, `terraform output -raw db_password`, `echo $API_TOKEN`. */
function asksByName(command: string): boolean {
  const name = BY_NAME.exec(command)?.[1]
  return name !== undefined && expectationOf(name.split(/[./:]/).at(-1)!) !== undefined
}

const BY_NAME = new RegExp(
  `${START}(?:heroku config:get|(?:terraform|tofu) output(?: -\\w{1,8})*|printenv|echo "?\\$\\{?|pulumi (?:config get|stack output)(?: --?[\\w-]{1,20})*|fly secrets get|railway variables get|git config(?: --[a-z-]{1,10})*|npm config get|doppler secrets get|composer config(?: --?\\w{1,10})*) ?([\\w./:-]{2,80})`,
)

/** `jq -r .db.password config.json`, `sqlite3 app.db "select password …"`: any word of the command may be the name. */
function namesSecret(command: string): boolean {
  return command
    .split(/&&|[;|\n]/)
    .some(
      (part) =>
        !ABOUT_FILES.test(part) &&
        Array.from(part.matchAll(NAME)).some(
          ([name]) => !/^(?:key|auth|pw|pass)$/i.test(name) && expectationOf(name) !== undefined,
        ),
    )
}

/** These print what is said of files, or run what is in them. */
const ABOUT_FILES =
  /^\s*(?:sudo )?(?:cat|head|tail|ls|ll|tree|grep|egrep|rg|ag|find|fd|git|gh|sed|awk|wc|sort|npm|npx|pnpm|yarn|bun|node|deno|python3?|pytest|vitest|go|cargo|make|mvn|cd|rm|mv|cp|mkdir|touch|chmod|stat|file|diff|curl|wget|sha\d*sum|md5sum)\b/

const NAME = /(?<![A-Za-z0-9_-])[A-Za-z][\w-]{2,60}(?![\w-])/g

/** `cat config/master.key`, `cat /run/secrets/db_password`: what is read is a file that has the name of a secret. */
function readsKeyFile(command: string): boolean {
  const path = READS.exec(command)?.[1]
  if (path === undefined || /\.(?!key$|pass$|pw$|secret$|token$|txt$)[a-z0-9]{1,6}$/i.test(path)) return false
  return (
    /(?:^|\/)run\/secrets\/[^/]+$|(?:password|passphrase|passwd?|user-pass|secret|token|api[-_]?key|master\.key|private[-_]?key|encryption[-_]?key|credentials?|authkey|\.key)(?:-file)?(?:\.(?:key|txt|pass|pw|secret|token))?$/i.test(
      path,
    ) && !/\/(?:passwd|group)$|public|\.pub/.test(path)
  )
}

const READS = new RegExp(
  `${START}(?:cat|head(?: -(?:n ?)?1)?|tail(?: -(?:n ?)?1)?|type|less|more|bat|Get-Content|gc) (?:-[\\w-]{1,10} )?["']?([\\w.~$/\\\\:{}-]{3,200})["']?\\s*(?:$|[;&|)"'])`,
)

/** Replaces the secret in what a command printed. `content` is a text, or parts with texts. */
export function redactOutput<T>(content: T, asked: Asked): { value: T; found: Found[] } {
  const found: Found[] = []
  const redact = (text: string) => withoutSecret(text, asked, found)
  if (typeof content === 'string') return { value: redact(content) as T, found }
  if (!Array.isArray(content)) return { value: content, found }
  const parts = content.map((part: unknown) => {
    const text = (part as { text?: unknown } | null)?.text
    return typeof text === 'string' ? { ...(part as object), text: redact(text) } : part
  })
  return { value: (found.length === 0 ? content : parts) as T, found }
}

function withoutSecret(text: string, asked: Asked, found: Found[]): string {
  const replace = (whole: string, before: string, secret: string): string => {
    if (!(asked === 'named' ? isLikely(secret) : isAsked(secret))) return whole
    const { text: mark, ...entry } = placeholder(kindOfValue(secret), secret)
    found.push(entry)
    return before + mark + whole.slice(before.length + secret.length)
  }
  if (asked === 'fields') return text.slice(0, MAX_OUTPUT).replace(FIELD, replace) + text.slice(MAX_OUTPUT)
  const lines = text.slice(0, MAX_OUTPUT).split('\n')
  const most = asked === 'named' ? 2 : MAX_LINES
  if (asked !== 'first' && lines.filter((line) => line.trim() !== '').length > most) return text
  const last = asked === 'first' ? 1 : lines.length
  return lines
    .map((line, n) => (n < last ? line.replace(LINE, replace) : line))
    .join('\n')
    .concat(text.slice(MAX_OUTPUT))
}

const MAX_OUTPUT = 20_000
/** Some commands print a title or a warning with the secret. */
const MAX_LINES = 4
/** A line that is one word, perhaps in quotes, or a phrase. */
const LINE = /^([\s"']{0,20}(?:[0-9]{1,2}\) ['"])?)([^\s"'][^\n"']{4,4000}?)(?=["']?[\s]{0,20}$)/
const FIELD =
  /((?:^|[\s,{"'])(?:value|Value|secretString|SecretString|plaintext|payload|password|token|secret)(?:"|')?\s{0,20}[:=]\s{0,4}["']?|^password {2,})((?<=["'])[^"'\\\n]{5,4000}|[^\s"'{[\\]{5,4000})/gm

function isLikely(value: string): boolean {
  return (
    !/\s|^[0-9a-f]{7,64}$|^[./~]|\.[a-z]{1,5}$|^https?:/i.test(value) &&
    (isConvincing(value, 'password') || isInventedPassword(value, 'password'))
  )
}

/** Whether a piece of the output is the secret, not a sentence, an error or a stand-in. */
function isAsked(value: string): boolean {
  if (/\s/.test(value)) return isPhrase(value)
  if (value.length < 5 || isStandIn(value) || /^(?:https?:|[./~]|[A-Za-z]+[:!?]$)/.test(value)) return false
  return /[^A-Za-z]/.test(value) || isRandom(value) || (value.length >= 8 && !isFormWord(value))
}
