/**
 * Made-up secrets of every kind, drawn from a seed. No token stands literally in this repository, or secret
 * scanners would refuse a push: each is its start, joined at run time to letters drawn from the vendor's alphabet.
 */

export type Draw = (length: number, alphabet?: string) => string

const LOWER = 'abcdefghijklmnopqrstuvwxyz'
const UPPER = LOWER.toUpperCase()
const DIGITS = '0123456789'
export const ALNUM = LOWER + UPPER + DIGITS
export const BASE58 = ALNUM.replace(/[0OIl]/g, '')
export const HEX = '0123456789abcdef'
const URL64 = `${ALNUM}-_`
const BASE64 = `${ALNUM}+/`
const CAPITALS = `${UPPER}234567`

/** Draws the same letters for the same seed (mulberry32). */
export function drawer(seed: number): Draw {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
  return (length, alphabet = ALNUM) =>
    Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join('')
}

const uuid = (d: Draw) => [8, 4, 4, 4, 12].map((n) => d(n, HEX)).join('-')
const base64url = (text: string) => Buffer.from(text).toString('base64url')

/** Token kinds: each maker gives the text and, where only a part is secret, that part. */
export const TOKENS: Record<string, (d: Draw) => string> = {
  'aws-access-key-id': (d) => `AK${'IA'}${d(16, CAPITALS)}`,
  'aws-session-token': (d) => `IQoJb3Jp${'Z2lu'}${d(300, BASE64)}==`,
  'aws-bedrock-key': (d) => `AB${'SK'}${d(128, BASE64)}`,
  'gcp-api-key': (d) => `AI${'za'}${d(35, URL64)}`,
  'google-oauth-token': (d) => `ya${'29.'}${d(120, URL64)}`,
  'google-oauth-secret': (d) => `GOC${'SPX-'}${d(28, URL64)}`,
  'google-refresh-token': (d) => `1/${'/0'}${d(60, URL64)}`,
  'azure-client-secret': (d) => `${d(3)}8${'Q~'}${d(34)}`,
  'alibaba-access-key': (d) => `LT${'AI'}${d(20)}`,
  'tencent-secret-id': (d) => `AK${'ID'}${d(32)}`,
  'digitalocean-token': (d) => `dop${'_v1_'}${d(64, HEX)}`,
  'cloudflare-origin-key': (d) => `v1${'.0-'}${d(24, HEX)}-${d(146, HEX)}`,
  'heroku-key': (d) => `HRKU${'-AA'}${d(58, URL64)}`,
  'flyio-token': (d) => `fm${'2_'}${d(200, BASE64)}`,
  'vercel-token': (d) => `vc${'p_'}${d(56)}`,
  'vercel-blob-token': (d) => `vercel_blob${'_rw_'}${d(16)}_${d(32)}`,
  'netlify-token': (d) => `nf${'p_'}${d(36)}`,
  'render-key': (d) => `rn${'d_'}${d(32)}`,
  'tailscale-key': (d) => `ts${'key-auth-'}${d(16)}-${d(32)}`,
  'pulumi-token': (d) => `pu${'l-'}${d(40, HEX)}`,
  'vault-token': (d) => `hv${'s.'}${d(90, URL64)}`,
  'doppler-token': (d) => `dp${'.pt.'}${d(43)}`,
  'databricks-token': (d) => `da${'pi'}${d(32, HEX)}`,
  'planetscale-secret': (d) => `pscale${'_tkn_'}${d(43, URL64)}`,
  'supabase-key': (d) => `sb${'p_'}${d(40, HEX)}`,
  'neon-key': (d) => `na${'pi_'}${d(64)}`,
  'github-token': (d) => `gh${'p_'}${d(36)}`,
  'github-token fine-grained': (d) => `github${'_pat_'}${d(22)}_${d(59)}`,
  'github-token server': (d) => `gh${'s_'}${d(36)}`,
  'gitlab-token': (d) => `glp${'at-'}${d(20)}`,
  'gitlab-token runner': (d) => `glr${'t-'}${d(20)}`,
  'bitbucket-token': (d) => `ATB${'B'}${d(32)}`,
  'atlassian-token': (d) => `ATA${'TT3'}${d(180, URL64)}=${d(8, `${DIGITS}ABCDEF`)}`,
  'npm-token': (d) => `np${'m_'}${d(36)}`,
  'pypi-token': (d) => `py${'pi-'}AgEIcHlwaS5vcmc${d(120, URL64)}`,
  'rubygems-key': (d) => `ruby${'gems_'}${d(48, HEX)}`,
  'nuget-key': (d) => `oy${'2'}${d(43, LOWER + DIGITS)}`,
  'crates-token': (d) => `ci${'o'}${d(32)}`,
  'docker-token': (d) => `dckr${'_pat_'}${d(27, URL64)}`,
  'jfrog-key': (d) => `AK${'Cp'}${d(69)}`,
  'sonar-token': (d) => `sq${'u_'}${d(40, HEX)}`,
  'buildkite-token': (d) => `bk${'ua_'}${d(40, HEX)}`,
  'sentry-token': (d) => `snt${'ryu_'}${d(64, HEX)}`,
  'postman-key': (d) => `PM${'AK-'}${d(24, HEX)}-${d(34, HEX)}`,
  'grafana-token': (d) => `gl${'sa_'}${d(32)}_${d(8, HEX)}`,
  'new-relic-key': (d) => `NR${'AK-'}${d(27, UPPER + DIGITS)}`,
  'dynatrace-token': (d) => `dt0${'c01.'}${d(24, CAPITALS)}.${d(64, CAPITALS)}`,
  'prefect-key': (d) => `pn${'u_'}${d(36)}`,
  'age-secret-key': (d) => `AGE-SECRET${'-KEY-1'}${d(58, 'QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')}`,
  'onepassword-token': (d) => `op${'s_'}eyJ${d(400, BASE64)}`,
  'anthropic-key': (d) => `sk-${'ant-api03-'}${d(93, URL64)}AA`,
  'openai-key': (d) => `sk-${'proj-'}${d(74, URL64)}T3Blbk${'FJ'}${d(74, URL64)}`,
  'openai-key legacy': (d) => `sk${'-'}${d(20)}T3Blbk${'FJ'}${d(20)}`,
  'openrouter-key': (d) => `sk-${'or-v1-'}${d(64, HEX)}`,
  'langsmith-key': (d) => `lsv2${'_pt_'}${d(32, HEX)}_${d(10, HEX)}`,
  'huggingface-token': (d) => `h${'f_'}${d(34, LOWER + UPPER)}`,
  'replicate-token': (d) => `r${'8_'}${d(37)}`,
  'groq-key': (d) => `gs${'k_'}${d(52)}`,
  'xai-key': (d) => `xa${'i-'}${d(80)}`,
  'together-key': (d) => `tgp${'_v1_'}${d(43)}`,
  'context7-key': (d) => `ctx7${'sk-'}${[8, 4, 4, 4, 12].map((length) => d(length, HEX)).join('-')}`,
  'moonshot-key': (d) => `sk-${'kimi-'}${d(64)}`,
  'cerebras-key': (d) => `cs${'k-'}${d(48)}`,
  'perplexity-key': (d) => `pp${'lx-'}${d(48)}`,
  'elevenlabs-key': (d) => `sk${'_'}${d(48, HEX)}`,
  'tavily-key': (d) => `tv${'ly-'}${d(32)}`,
  'slack-token': (d) => `xo${'xb-'}${d(12, DIGITS)}-${d(12, DIGITS)}-${d(24)}`,
  'slack-token app': (d) => `xa${'pp-'}1-A${d(10, UPPER)}-${d(13, DIGITS)}-${d(64, HEX)}`,
  'slack-webhook': (d) => `hooks.sl${'ack.com'}/services/T${d(8, CAPITALS)}/B${d(10, CAPITALS)}/${d(24)}`,
  'discord-bot-token': (d) => `M${'T'}${d(24)}.${d(6)}.${d(38, URL64)}`,
  'discord-webhook': (d) => `disc${'ord.com/api'}/webhooks/${d(18, DIGITS)}/${d(68, URL64)}`,
  'telegram-bot-token': (d) => `${d(10, '123456789')}${':AA'}${d(33, URL64)}`,
  'twilio-key': (d) => `S${'K'}${d(32, HEX)}`,
  'sendgrid-key': (d) => `S${'G.'}${d(22, URL64)}.${d(43, URL64)}`,
  'mailgun-key': (d) => `ke${'y-'}${d(32, HEX)}`,
  'mailchimp-key': (d) => `${d(32, HEX)}-u${'s12'}`,
  'brevo-key': (d) => `xkey${'sib-'}${d(64, HEX)}-${d(16)}`,
  'resend-key': (d) => `r${'e_'}${d(8)}_${d(24)}`,
  'stripe-key': (d) => `sk_${'live_'}${d(24)}`,
  'stripe-key restricted': (d) => `rk_${'live_'}${d(24)}`,
  'stripe-webhook-secret': (d) => `wh${'sec_'}${d(32)}`,
  'shopify-token': (d) => `shp${'at_'}${d(32, HEX)}`,
  'square-token': (d) => `sq0${'atp-'}${d(22, URL64)}`,
  'plaid-token': (d) => `access-${'production-'}${uuid(d)}`,
  'linear-key': (d) => `lin_${'api_'}${d(40)}`,
  'notion-token': (d) => `nt${'n_'}${d(11, DIGITS)}${d(35)}`,
  'airtable-token': (d) => `pa${'t'}${d(14)}.${d(64, HEX)}`,
  'figma-token': (d) => `fi${'gd_'}${d(40, URL64)}`,
  'hubspot-token': (d) => `pat${'-na1-'}${uuid(d)}`,
  'typeform-token': (d) => `tf${'p_'}${d(44)}`,
  'contentful-token': (d) => `CF${'PAT-'}${d(43, URL64)}`,
  'posthog-key': (d) => `ph${'x_'}${d(43)}`,
  'terraform-token': (d) => `${d(14)}.atl${'asv1.'}${d(67)}`,
  jwt: (d) =>
    [
      base64url(JSON.stringify({ alg: 'HS256', typ: 'JWT' })),
      base64url(JSON.stringify({ sub: d(10), iat: 1 })),
      d(43, URL64),
    ].join('.'),
}

/** The part of a token text that must be gone: what follows the part that announces it. */
export function heart(token: string): string {
  return token.slice(-12)
}

/** A password as people and machines make them; never only letters. */
export function password(d: Draw): string {
  return `${d(5)}7${d(4)}#${d(4)}x`
}

/** Every place where a value is a secret because of what stands around it. */
export const CONTEXTS: Record<string, (d: Draw) => { text: string; secret: string }> = {
  'aws secret key in a file': (d) => around(d(40, BASE64), (s) => `aws_secret_access_key = ${s}`),
  'azure storage key': (d) =>
    around(`${d(86, BASE64)}==`, (s) => `AccountName=x;Account${'Key'}=${s};EndpointSuffix=core`),
  'heroku key': (d) => around(uuid(d), (s) => `HEROKU_API_${'KEY'}=${s}`),
  'datadog key': (d) => around(d(32, HEX), (s) => `DD_API_${'KEY'}=${s}`),
  'cloudflare token': (d) => around(d(40, URL64), (s) => `CLOUDFLARE_API_${'TOKEN'}: "${s}"`),
  'twilio auth token': (d) => around(d(32, HEX), (s) => `TWILIO_AUTH_${'TOKEN'}=${s}`),
  'npm registry': (d) => around(uuid(d), (s) => `//registry.npmjs.org/:_auth${'Token'}=${s}`),
  'env file': (d) => around(password(d), (s) => `DB_PASS${'WORD'}=${s}`),
  'env word': () => around('correcthorse', (s) => `export DB_PASS${'WORD'}=${s}`),
  'shell quotes': (d) => around(password(d), (s) => `export FOO_SEC${'RET'}='${s}'`),
  json: (d) => around(d(32), (s) => JSON.stringify({ model: 'x', api_key: s })),
  'json in json': (d) =>
    around(password(d), (s) => JSON.stringify({ a: JSON.stringify({ password: s, b: 1 }) })),
  'json thrice': (d) =>
    around(password(d), (s) => JSON.stringify(JSON.stringify({ a: JSON.stringify({ password: s, b: 1 }) }))),
  yaml: (d) => around(password(d), (s) => `db:\n  pass${'word'}: ${s}\n  port: 1`),
  flag: (d) => around(password(d), (s) => `tool --pass${'word'} ${s} --verbose`),
  'flag with =': (d) => around(d(32), (s) => `tool --to${'ken'}=${s}`),
  'list of arguments': (d) => around(password(d), (s) => JSON.stringify(['--password', s])),
  netrc: (d) => around(password(d), (s) => `machine h\n  login me\n  pass${'word'} ${s}\n`),
  'url of a database': (d) => around(d(12), (s) => `postgres://me${':'}${s}@db.local:5432/x?ssl=1`),
  'url with an @ in the password': (d) => around(`${d(6)}@${d(6)}`, (s) => `mysql://me${':'}${s}@db.local/x`),
  'url with a token for user': (d) => around(d(32), (s) => `git clone https:${'//'}${s}@git.local/a/b.git`),
  bearer: (d) => around(d(40), (s) => `curl -H "Authorization: Bea${'rer'} ${s}" https://x`),
  basic: (d) =>
    around(Buffer.from(`me:${d(10)}`).toString('base64'), (s) => `Authorization: Ba${'sic'} ${s}`),
  'token in a header': (d) => around(d(20, HEX), (s) => `Authorization: to${'ken'} ${s}`),
  'password with punctuation': (d) => around(`${d(6)}4&${d(3)}|x`, (s) => `Pass${'word'}: ${s}`),
  'mysql -p': (d) => around(password(d), (s) => `mysql -uroot -p${s} db`),
  'header of a key': (d) => around(d(32), (s) => `X-API-${'Key'}: ${s}`),
  cookie: (d) => around(`sid=${d(40)}`, (s) => `Coo${'kie'}: ${s}`),
  'curl -u': (d) => around(password(d), (s) => `curl -s -u me${':'}${s} https://x`),
  sshpass: (d) => around(password(d), (s) => `sshpass -p '${s}' ssh me@h`),
  'typed constant': (d) => around(d(32), (s) => `const api${'Key'}: string = "${s}"`),
  php: (d) => around(password(d), (s) => `'pass${'word'}' => '${s}',`),
  'php define': (d) => around(password(d), (s) => `define('DB_PASS${'WORD'}', '${s}');`),
  xml: (d) => around(password(d), (s) => `<pass${'word'}>${s}</password>`),
  markdown: (d) => around(password(d), (s) => `- **Pass${'word'}:** \`${s}\``),
  prose: (d) => around(password(d), (s) => `the admin pass${'word'} is "${s}", keep it`),
  'connection string': (d) => around(password(d), (s) => `Server=h;User Id=me;Pass${'word'}=${s};Encrypt=1`),
  'pem key': (d) => around(pem(d, 'RSA PRIVATE KEY'), (s) => `$ cat key.pem\n${s}\n$`),
  'pem key, JSON': (d) =>
    around(JSON.stringify(pem(d, 'PRIVATE KEY')).slice(1, -1), (s) => `{"private_key": "${s}\\n"}`),
  'pem key, cut': (d) =>
    around(pem(d, 'EC PRIVATE KEY').split('\n').slice(0, 6).join('\n'), (s) => `${s}\n[cut]`),
  'pgp key': (d) => around(pem(d, 'PGP PRIVATE KEY BLOCK'), (s) => `${s}\n`),
  'openssh key': (d) => around(pem(d, 'OPENSSH PRIVATE KEY'), (s) => `${s}\n`),
  'signed url': (d) => around(d(64, HEX), (s) => `https://b.s3.amazonaws.com/k?X-Amz-Sig${'nature'}=${s}`),
}

function around(secret: string, write: (secret: string) => string): { text: string; secret: string } {
  return { text: write(secret), secret }
}

export function pem(d: Draw, label: string): string {
  const lines = Array.from({ length: 12 }, () => d(64, BASE64))
  return [`-----BEGIN ${label}-----`, ...lines, `${d(30, BASE64)}==`, `-----END ${label}-----`].join('\n')
}

/** A token in the places where talk carries one. */
export const SHAPES_OF_TEXT: Record<string, (token: string) => string> = {
  bare: (t) => t,
  'in a sentence': (t) => `I pasted ${t}, is that bad?`,
  'in JSON': (t) => JSON.stringify({ a: { value: t } }),
  'in JSON in JSON': (t) => JSON.stringify(JSON.stringify({ out: `first\n${t}\nlast` })),
  'in a shell command': (t) => `FOO=${t} ./run --x '${t}'`,
  'in a URL': (t) => `https://host.example/v1?x=${t}&y=1`,
  'in Markdown': (t) => `Use \`${t}\` or\n\n\`\`\`sh\n${t}\n\`\`\`\n`,
  'in a terminal colour': (t) => `\u001b[32m${t}\u001b[0m`,
}
