import {
  ALNUM,
  ANYHEX,
  BASE58,
  BASE64,
  EQUAL64,
  HEX,
  LOWNUM,
  type Shape,
  shape,
  URL64,
  UUID,
} from './shape.ts'

/** Chat, mail, money, and the tools of work. */
export const SERVICES: readonly Shape[] = [
  // Chat and mail
  shape(
    'slack-token',
    'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd- xoxe- xoxe.',
    '[A-Za-z0-9%./+=-]{10,400}',
  ),
  // `{"auths":` in base64, as a Secret of Kubernetes has the logins of registries
  shape(
    'docker-config',
    'eyJhdXRocyI6 ewoJImF1dGhzIjog ewogICJhdXRocyI6 ewogICAgImF1dGhzIjog',
    '[A-Za-z0-9+/]{24,4000}={0,2}',
  ),
  shape('slack-token', 'xapp-', '[0-9]-[A-Za-z0-9]{1,60}-[0-9]{1,16}-[A-Za-z0-9]{1,80}'),
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
  shape('telegram-bot-token', ':AA', '(?<=[0-9]{8,10}):(AA[A-Za-z0-9_-]{33})', { before: 0, anywhere: true }),
  shape(
    'teams-webhook',
    '.webhook.office.com/',
    'webhookb2/([A-Za-z0-9@-]{36,73}/IncomingWebhook/[A-Za-z0-9-]{32}/[A-Za-z0-9-]{36}[A-Za-z0-9/_-]{0,60})',
    {
      anywhere: true,
    },
  ),
  shape('twilio-key', 'SK', '[0-9A-Fa-f]{32}'),
  shape('sendgrid-key', 'SG.', '[A-Za-z0-9_=-]{20,24}\\.[A-Za-z0-9_=-]{39,50}'),
  shape('sendgrid-key', 'SG.', '(?:[A-Za-z0-9_=.-]|%3D){66}'),
  shape('mailgun-key', 'key-', `${HEX}{32}`),
  shape('mailchimp-key', '-us', `${HEX}{32}-us[0-9]{1,2}`, { before: 32 }),
  shape('brevo-key', 'xkeysib- xsmtpsib-', '[A-Za-z0-9_-]{81}'),
  shape('resend-key', 're_', `${ALNUM}{8}_${ALNUM}{24}`),

  // Money
  shape('stripe-key', 'sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_', '[A-Za-z0-9-]{10,247}'),
  shape('stripe-webhook-secret', 'whsec_', '[A-Za-z0-9+/]{32,64}={0,2}'),
  shape('shopify-token', 'shpat_ shpca_ shppa_ shpss_', '[0-9A-Fa-f]{32}'),
  shape('square-token', 'sq0atp- sq0csp- sq0idp-', `${URL64}{22,43}`),
  shape('square-token', 'EAAA', '(?:[A-Za-z0-9_+=-]|%[23][BD]){22,64}(?![+/=-])', { random: true }),
  shape('facebook-token', 'EAAM EAAC EAAB', `${ALNUM}{100,300}`),
  shape('plaid-token', 'access-sandbox- access-development- access-production-', UUID),
  shape('flutterwave-key', 'FLWSECK- FLWSECK_TEST-', '(?:[0-9a-z]{32}-X|[a-h0-9]{12})'),
  shape('easypost-key', 'EZAK EZTK', `${ALNUM}{54}`),
  shape('shippo-token', 'shippo_live_ shippo_test_', '[0-9A-Fa-f]{40}'),

  shape('duffel-token', 'duffel_live_ duffel_test_', `${EQUAL64}{43}`),

  // Hashes of passwords: anyone who has a hash can try guesses against it
  shape('password-hash', '$2a$ $2b$ $2y$', '[0-9]{2}\\$[./A-Za-z0-9]{53}'),
  shape('password-hash', '$5$ $6$', '(?:rounds=[0-9]{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,86}'),
  shape('password-hash', '$y$', '[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{1,86}\\$[./A-Za-z0-9]{43}'),
  shape(
    'password-hash',
    '$argon2id$ $argon2i$',
    'v=[0-9]{1,3}\\$[a-z0-9=,]{1,40}\\$[A-Za-z0-9+/]{11,88}\\$[A-Za-z0-9+/]{22,88}',
  ),

  shape('bitcoin-key', 'xprv yprv zprv tprv', `${BASE58}{107}`),
  shape('bitcoin-key', '5H 5J 5K', `${BASE58}{49}`, { random: true }),
  shape('bitcoin-key', 'Kw Kx Ky Kz L1 L2 L3 L4 L5', `${BASE58}{50}`, { random: true }),

  shape('password-hash', '$apr1$ $1$', '[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}'),
  shape('nostr-key', 'nsec1', '[02-9ac-hj-np-z]{58}'),

  // Work
  shape('linear-key', 'lin_api_ lin_oauth_', `${ALNUM}{32,64}`),
  shape('notion-token', 'ntn_', '[0-9]{11}[A-Za-z0-9]{35}'),
  shape('notion-token', 'secret_', `${ALNUM}{43}`, { random: true }),
  shape('airtable-token', 'pat', '[A-Za-z0-9]{14}\\.[0-9a-f]{64}'),
  shape('figma-token', 'figd_ figu_ figo_ figp_ figr_', `${EQUAL64}{38,60}`),
  shape(
    'hubspot-token',
    'pat-na1- pat-na2- pat-eu1- pat-ap1-',
    `${ALNUM}{8}(?:-${ALNUM}{4}){3}-${ALNUM}{12}`,
  ),
  shape('typeform-token', 'tfp_', '(?:[A-Za-z0-9_.=-]|%3D){40,80}'),
  shape('contentful-token', 'CFPAT-', `${URL64}{43}`),
  shape('readme-key', 'rdme_', '[a-z0-9]{70}'),
  shape('posthog-key', 'phx_', '[A-Za-z0-9_]{40,60}'),
  shape('mapbox-secret', 'sk.eyJ', '[A-Za-z0-9_-]{40,120}\\.[A-Za-z0-9_-]{20,30}'),
  shape('mapbox-secret', 'sk.', '[A-Za-z0-9.-]{80,240}', { random: true }),
  shape('maxmind-key', '_mmk', '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk', { before: 36 }),
  shape('frameio-token', 'fio-u-', `${EQUAL64}{64}`),
  shape('adobe-secret', 'p8e-', '[A-Za-z0-9_-]{32}'),
  shape('dropbox-token', 'sl.', '(?:u\\.)?(?:[A-Za-z0-9_=-]|%3D){130,2000}'),
  shape('openshift-token', 'sha256~', `${URL64}{43}`),

  // More of money
  shape('api-key', 'sk_', `[a-z]{1,20}_${ALNUM}{40}`, { random: true }),
  shape('api-key', 'sk_', `(?:test_)?${UUID}`),
  shape('api-key', 'sk_', `(?:[0-9]{4}_[0-9]{6}_|pr_${ALNUM}{1,64}_)${ANYHEX}{32,40}`),
  shape('api-key', 'sk_ sk_live_', '[A-Za-z0-9-]{28,100}', { random: true }),
  shape(
    'api-key',
    'live_ test_ api_',
    `(?<!_(?:live|test|api)_)(?!=|[0-9._-]+(?![A-Za-z0-9])|${HEX}{40}_)[A-Za-z0-9_.=-]{27,45}`,
    {
      random: true,
    },
  ),
  shape('pagarme-key', 'ak_live_ ak_test_', `${ALNUM}{30}`),
  shape('razorpay-key', 'rzp_live_ rzp_test_', `${ALNUM}{14}`),
  shape('ramp-secret', 'ramp_sec_ ramp_id_', `${ALNUM}{40,48}`),
  shape('robinhood-key', 'rh-api-', UUID),
  shape('fleetbase-key', 'flb_live_ flb_test_', `${ALNUM}{20}`),
  shape('dfuse-key', 'web_', `${LOWNUM}{32}`, { random: true }),
  shape('finage-key', 'API_KEY', '[0-9A-Z]{32}', { random: true }),

  // More of work
  shape('zoho-token', '1000.', `${HEX}{32}\\.${HEX}{32}`),
  shape('salesforce-key', '3MVG9', '(?:[A-Za-z0-9._+/=]|%[23][BFD]){80,251}'),
  shape('salesforce-token', '5AEP861', '(?:[A-Za-z0-9._=]|%3D){80,300}'),
  shape('flexport-token', 'shltm_', `${URL64}{40}`),
  shape('bannerbear-key', 'bb_pr_ bb_ma_', `${HEX}{30}`),
  shape('besttime-key', 'pri_', `${HEX}{32}`),
  shape('teamwork-token', 'tkn.v1_', `${ALNUM}{60,90}={0,2}`),
  shape('intra42-secret', 's-s4t2ud- s-s4t2af-', `${HEX}{64}`),
  shape(
    'pubnub-key',
    'sub-c- sec-c-',
    '[A-Za-z0-9]{8,80}(?:-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{4}-[a-z0-9]{12})?',
    {
      random: true,
    },
  ),
  shape('twitter-token', 'AAAAAAAAAAAAAAAAAAAAAA', '(?!A{8})[A-Za-z0-9%]{60,110}'),
  shape('zapier-webhook', 'hooks.zapier.com/hooks/catch/', '([A-Za-z0-9/]{12,40})'),
  shape('tines-webhook', '.tines.com/webhook/', `(${LOWNUM}{32}/${LOWNUM}{32})`, { anywhere: true }),
  shape('fullstory-key', 'na1. eu1.', `${BASE64}{100}`),
  shape('klaviyo-key', 'pk_', `(?:${ALNUM}{6}_)?${HEX}{34}`),
  shape('locationiq-key', 'pk.', '[A-Za-z0-9-]{32}', { random: true }),
]
