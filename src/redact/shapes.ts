import { escapeLiteral } from './scan.ts'

/**
 * A secret that is known by its own shape: a fixed start, then a number of letters of one alphabet. The starts and
 * lengths come from the vendors' documents and the published lists of secret scanners.
 */
export interface Shape {
  kind: string
  /** The literal texts that announce the secret; the search looks for these. */
  starts: readonly string[]
  /**
   * A sticky pattern, tried `back` characters before the start. The secret is group 1, or all of the match without one.
   */
  pattern: RegExp
  back: number
  /** The start is so short that only a random-looking secret counts. */
  random: boolean
}

/** No letter or digit stands before, except the end of an escape: `\n`, `%20`, `\u001b`, a terminal colour. */
const WORD_START =
  '(?:(?<![A-Za-z0-9])|(?<=\\\\[abfnrtv]|%[0-9A-Fa-f]{2}|\\\\[ux][0-9A-Fa-f]{2,4}|\\[[0-9;]{0,8}m))'
/** A token may end where another one could start. */
const WORD_END = '(?:(?![A-Za-z0-9_])|(?<![A-Za-z0-9]))'
const HEX = '[0-9a-f]'
const ALNUM = '[A-Za-z0-9]'
const URL64 = '[A-Za-z0-9_-]'
const BASE64 = '[A-Za-z0-9+/]'
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** The upper bounds keep a base64 blob from counting as a token, and every search short. */
export const SHAPES: readonly Shape[] = [
  // Clouds
  shape('aws-access-key-id', 'AKIA ASIA ABIA ACCA', '[A-Z2-7]{16}'),
  shape('aws-session-token', 'IQoJb3JpZ2lu FwoGZXIvYXdz FQoGZXIvYXdz', `${BASE64}{80,4000}={0,2}`),
  shape('aws-bedrock-key', 'ABSK', `${BASE64}{100,300}={0,2}`),
  shape('gcp-api-key', 'AIza', `${URL64}{35}`),
  shape('google-oauth-token', 'ya29.', `${URL64}{30,2000}`),
  shape('google-oauth-secret', 'GOCSPX-', `${URL64}{28}`),
  shape('google-refresh-token', '1//0', `${URL64}{40,200}`),
  shape('azure-client-secret', 'Q~', '[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}', { whole: 4 }),
  shape('azure-storage-key', 'AccountKey=', `(${BASE64}{86}==)`),
  shape('azure-shared-access-key', 'SharedAccessKey=', `(${BASE64}{43}=)`),
  shape('signed-url', '?sig= &sig= X-Amz-Signature= X-Goog-Signature=', '([A-Za-z0-9%+/]{40,600}={0,2})'),
  shape('alibaba-access-key', 'LTAI', `${ALNUM}{20}`),
  shape('tencent-secret-id', 'AKID', `${ALNUM}{32}`),
  shape('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', `${HEX}{64}`),
  shape('cloudflare-origin-key', 'v1.0-', `${HEX}{24}-${HEX}{146}`),
  shape('heroku-key', 'HRKU-', `${URL64}{36,70}`),
  shape('flyio-token', 'fo1_', `${URL64}{43}`),
  shape('flyio-token', 'fm1r_ fm1a_ fm2_', `${BASE64}{80,4000}={0,3}`),
  shape('vercel-token', 'vcp_ vci_ vca_ vcr_ vck_', `${ALNUM}{24,100}`),
  shape('vercel-blob-token', 'vercel_blob_rw_', `${ALNUM}{10,40}_${ALNUM}{20,60}`),
  shape('netlify-token', 'nfp_ nfc_ nfo_ nfu_', `${ALNUM}{36,60}`),
  shape('render-key', 'rnd_', `${ALNUM}{28,40}`),
  shape('tailscale-key', 'tskey-', '(?:auth|api|client|webhook|scim)-[A-Za-z0-9]{8,30}-[A-Za-z0-9]{16,60}'),
  shape('pulumi-token', 'pul-', `${HEX}{40}`),
  shape('terraform-token', '.atlasv1.', '([A-Za-z0-9_=-]{60,70})', { anywhere: true }),
  shape('vault-token', 'hvs. hvb. hvr.', `${URL64}{24,300}`),
  shape('vault-token', 's.', `${ALNUM}{24}`, { random: true }),
  shape('doppler-token', 'dp.', '(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{40,44}'),
  shape('databricks-token', 'dapi', `${HEX}{32}(?:-[0-9])?`),
  shape('planetscale-secret', 'pscale_tkn_ pscale_oauth_ pscale_pw_', '[A-Za-z0-9_=.-]{32,64}'),
  shape('supabase-key', 'sbp_', `(?:v0_|oauth_)?${HEX}{40}`),
  shape('supabase-key', 'sb_secret_', `${URL64}{30,60}`),
  shape('neon-key', 'napi_', `${ALNUM}{50,80}`),

  shape('aws-bedrock-key', 'bedrock-api-key-', `(${BASE64}{20,3000}={0,2})`),

  // Code and packages
  shape('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', `${ALNUM}{36,255}`),
  shape('github-token', 'github_pat_', '[A-Za-z0-9_]{70,100}'),
  shape(
    'gitlab-token',
    'glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-',
    '[A-Za-z0-9_-]{20,300}(?:\\.[0-9a-z]{2}[0-9a-z]{7})?',
  ),
  shape('gitlab-token', 'GR1348941', `${URL64}{20}`),
  shape('bitbucket-token', 'ATCTT3 ATBB', '[A-Za-z0-9_=-]{28,200}'),
  shape('atlassian-token', 'ATATT3', '[A-Za-z0-9_=-]{150,220}'),
  shape('npm-token', 'npm_', `${ALNUM}{36}`),
  shape('pypi-token', 'pypi-', `AgE${URL64}{50,1000}`),
  shape('rubygems-key', 'rubygems_', `${HEX}{48}`),
  shape('nuget-key', 'oy2', '[a-z0-9]{43}'),
  shape('crates-token', 'cio', `${ALNUM}{32}`, { random: true }),
  shape('clojars-token', 'CLOJARS_', '[a-z0-9]{60}'),
  shape('docker-token', 'dckr_pat_ dckr_oat_', `${URL64}{27,40}`),
  shape('jfrog-key', 'AKCp', `${ALNUM}{69}`),
  shape('jfrog-key', 'cmVmd', `${ALNUM}{59}`),
  shape('sonar-token', 'squ_ sqp_ sqa_', `${HEX}{40}`),
  shape('buildkite-token', 'bkua_', `${HEX}{40}`),
  shape('circleci-token', 'CCIPAT_', '[A-Za-z0-9]{20,24}_[0-9a-f]{40}'),
  shape('sentry-token', 'sntrys_', '[A-Za-z0-9+/=_-]{80,800}'),
  shape('sentry-token', 'sntryu_', `${HEX}{64}`),
  shape('postman-key', 'PMAK-', `${HEX}{24}-${HEX}{34}`),
  shape('grafana-token', 'glsa_', `${ALNUM}{32}_[0-9A-Fa-f]{8}`),
  shape('grafana-token', 'glc_ eyJrIjoi', `${BASE64}{32,400}={0,3}`),
  shape('new-relic-key', 'NRAK-', '[A-Z0-9]{27}'),
  shape('new-relic-key', 'NRII- NRJS- NRRA-', '[A-Za-z0-9_-]{19,42}'),
  shape('dynatrace-token', 'dt0c01. dt0s01.', '[A-Za-z0-9]{24}\\.[A-Za-z0-9]{64}'),
  shape('datadog-key', 'ddapp_ ddapi_', `${ALNUM}{30,60}`),
  shape('prefect-key', 'pnu_', `${ALNUM}{36}`),
  shape('deno-token', 'ddp_ ddo_', `${ALNUM}{36}`),
  shape('age-secret-key', 'AGE-SECRET-KEY-1', '[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}'),
  shape('onepassword-token', 'ops_', `eyJ${BASE64}{200,2000}={0,3}`),
  shape('onepassword-key', 'A3-', '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}'),

  shape('harness-token', 'pat. sat.', '[A-Za-z0-9_-]{22}\\.[A-Za-z0-9]{24}\\.[A-Za-z0-9]{20}'),
  shape('infracost-key', 'ico-', `${ALNUM}{32}`, { random: true }),
  shape('octopus-key', 'API-', '[A-Z0-9]{26}', { random: true }),
  shape('scalingo-token', 'tk-us-', `${URL64}{48}`),
  shape('settlemint-token', 'sm_aat_ sm_pat_ sm_sat_', `${ALNUM}{16}`),
  shape('sourcegraph-token', 'sgp_', '(?:[0-9A-Fa-f]{16}_|local_)?[0-9A-Fa-f]{40}'),
  shape('clickhouse-key', '4b1d', `${ALNUM}{38}`, { random: true }),

  // Models
  shape('anthropic-key', 'sk-ant-', `${URL64}{24,200}`),
  shape('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', `${URL64}{40,250}`),
  shape('openai-key', 'sk-', `${ALNUM}{20,64}`, { random: true }),
  shape('openrouter-key', 'sk-or-', `(?:v1-)?${HEX}{64}`),
  shape('langfuse-key', 'sk-lf-', UUID),
  shape('langsmith-key', 'lsv2_pt_ lsv2_sk_', `${HEX}{32}_${HEX}{10}`),
  shape('huggingface-token', 'hf_', `${ALNUM}{34,40}`),
  shape('huggingface-token', 'api_org_', '[A-Za-z]{34}'),
  shape('replicate-token', 'r8_', `${ALNUM}{37,40}`),
  shape('groq-key', 'gsk_', `${ALNUM}{50,56}`),
  shape('xai-key', 'xai-', `${ALNUM}{70,90}`),
  shape('perplexity-key', 'pplx-', `${ALNUM}{40,60}`),
  shape('fireworks-key', 'fw_', `${ALNUM}{22,30}`, { random: true }),
  shape('elevenlabs-key', 'sk_', `${HEX}{48}`),
  shape('pinecone-key', 'pcsk_', '[A-Za-z0-9_]{50,90}'),
  shape('tavily-key', 'tvly-', `(?:dev-|prod-)?${ALNUM}{30,40}`),
  shape('firecrawl-key', 'fc-', `${HEX}{32}`),

  // Chat and mail
  shape(
    'slack-token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.',
    '[A-Za-z0-9%./+=-]{10,400}',
  ),
  shape('slack-token', 'xapp-', '[0-9]-[A-Za-z0-9]{8,60}-[0-9]{5,16}-[A-Za-z0-9]{8,80}'),
  shape('slack-webhook', 'hooks.slack.com/', '(?:services|workflows|triggers)/([A-Za-z0-9_/]{35,120})'),
  shape(
    'discord-bot-token',
    'MT Mj Mz ND NT Nj Nz OD OT',
    '[A-Za-z0-9_-]{22,28}\\.[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}',
  ),
  shape(
    'discord-webhook',
    'discord.com/api/ discordapp.com/api/',
    '(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/([A-Za-z0-9_-]{60,80})',
  ),
  shape('telegram-bot-token', ':AA', '(?<=[0-9]{8,10}):(AA[A-Za-z0-9_-]{33})', { whole: 0, anywhere: true }),
  shape(
    'teams-webhook',
    '.webhook.office.com/',
    `webhookb2/(${UUID}@${UUID}/IncomingWebhook/[0-9a-f]{32}/${UUID}[A-Za-z0-9/_-]{0,60})`,
    {
      anywhere: true,
    },
  ),
  shape('twilio-key', 'SK', '[0-9A-Fa-f]{32}'),
  shape('sendgrid-key', 'SG.', '[A-Za-z0-9_=-]{20,24}\\.[A-Za-z0-9_=-]{39,50}'),
  shape('mailgun-key', 'key-', `${HEX}{32}`),
  shape('mailchimp-key', '-us', `${HEX}{32}-us[0-9]{1,2}`, { whole: 32 }),
  shape('brevo-key', 'xkeysib- xsmtpsib-', `${HEX}{64}-${ALNUM}{16}`),
  shape('resend-key', 're_', `${ALNUM}{8}_${ALNUM}{24}`),

  // Money
  shape('stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', `${ALNUM}{10,247}`),
  shape('stripe-webhook-secret', 'whsec_', '[A-Za-z0-9+/]{32,64}={0,2}'),
  shape('shopify-token', 'shpat_ shpca_ shppa_ shpss_', '[0-9A-Fa-f]{32}'),
  shape('square-token', 'sq0atp- sq0csp- sq0idp-', `${URL64}{22,43}`),
  shape('square-token', 'EAAA', `${URL64}{22,60}(?![+/=-])`, { random: true }),
  shape('facebook-token', 'EAAM EAAC EAAB', `${ALNUM}{100,300}`),
  shape('plaid-token', 'access-sandbox- access-development- access-production-', UUID),
  shape('flutterwave-key', 'FLWSECK- FLWSECK_TEST-', '[0-9a-h]{32}-X'),
  shape('easypost-key', 'EZAK EZTK', `${ALNUM}{54}`),
  shape('shippo-token', 'shippo_live_ shippo_test_', '[0-9A-Fa-f]{40}'),

  shape('duffel-token', 'duffel_live_ duffel_test_', '[A-Za-z0-9_=-]{43}'),

  // Work
  shape('linear-key', 'lin_api_ lin_oauth_', `${ALNUM}{32,64}`),
  shape('notion-token', 'ntn_', '[0-9]{11}[A-Za-z0-9]{35}'),
  shape('notion-token', 'secret_', `${ALNUM}{43}`, { random: true }),
  shape('airtable-token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  shape('figma-token', 'figd_ figu_ figo_', `${URL64}{38,60}`),
  shape('hubspot-token', 'pat-na1- pat-na2- pat-eu1- pat-ap1-', UUID),
  shape('typeform-token', 'tfp_', '[A-Za-z0-9_.=-]{44,80}'),
  shape('contentful-token', 'CFPAT-', `${URL64}{43}`),
  shape('readme-key', 'rdme_', '[a-z0-9]{70}'),
  shape('posthog-key', 'phx_', `${ALNUM}{40,60}`),
  shape('mapbox-secret', 'sk.eyJ', '[A-Za-z0-9_-]{40,120}\\.[A-Za-z0-9_-]{20,30}'),
  shape('maxmind-key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk', { whole: 36 }),
  shape('frameio-token', 'fio-u-', '[A-Za-z0-9_=-]{64}'),
  shape('adobe-secret', 'p8e-', '[A-Za-z0-9_-]{32}'),
  shape('dropbox-token', 'sl.', '(?:u\\.)?[A-Za-z0-9_-]{130,2000}'),
  shape('openshift-token', 'sha256~', `${URL64}{43}`),

  // Formats
  shape('jwt', 'eyJ', '[A-Za-z0-9_-]{8,4000}\\.eyJ[A-Za-z0-9_-]{8,8000}\\.[A-Za-z0-9_-]{16,2000}'),
  shape('jwe', 'eyJ', '[A-Za-z0-9_-]{8,4000}\\.[A-Za-z0-9_-]{0,1000}(?:\\.[A-Za-z0-9_-]{10,8000}){3}'),
]

interface Options {
  /** The pattern covers the whole secret, which begins this many characters before the announcing text. */
  whole?: number
  random?: boolean
  /** The announcing text may follow a letter or digit. */
  anywhere?: boolean
}

function shape(kind: string, starts: string, rest: string, options: Options = {}): Shape {
  const literals = starts.split(' ')
  const boundary = options.anywhere ? '' : WORD_START
  const head = options.whole === undefined ? `(?:${literals.map(escapeLiteral).join('|')})` : ''
  return {
    kind,
    starts: literals,
    pattern: new RegExp(`${boundary}${head}${rest}${WORD_END}`, 'y'),
    back: options.whole ?? 0,
    random: options.random ?? false,
  }
}
