import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixedStart, longestCapture, parse } from './draw.mjs'

/**
 * The secrets that two published scanners look for, as `{ id, name, tree, prefix }`. `name` is the secret's name in its
 * surroundings (`etherscan_api_key`), `tree` draws its value, `prefix` says whether the value has a vendor's start.
 * `skipped` contains the rules that cannot be parsed.
 */
export function publishedRules({ gitleaks, trufflehog }) {
  const skipped = []
  const found = [
    ...(gitleaks === undefined ? [] : gitleaksRules(readFileSync(gitleaks, 'utf8'), skipped)),
    ...(trufflehog === undefined ? [] : trufflehogRules(trufflehog, skipped)),
  ]
  const rules = new Map(found.map((rule) => [`${rule.id} ${rule.value}`, rule]))
  return { rules: [...rules.values()], skipped }
}

function gitleaksRules(toml, skipped) {
  const blocks = toml.split(/^\[\[rules\]\]$/m).slice(1)
  return blocks.flatMap((block) => {
    const id = /^id = "(.*)"$/m.exec(block)?.[1]
    const regex = /^regex = '''(.*)'''$/m.exec(block)?.[1]
    if (regex === undefined) return []
    if (NO_SECRET_ID.test(id)) return []
    return rule(
      `gitleaks ${id}`,
      id,
      regex.replace(/^.*?=\]\{0,5\}/, ''),
      '',
      regex.includes('=]{0,5}'),
      skipped,
    )
  })
}

/** Rules for values that are not secret by themselves, and rules that do not describe a value. */
const NO_SECRET_ID =
  /client-id|publishable|pub-(?:api-)?key|generic-api-key|curl-auth|kubernetes-secret|nuget-config-password|access-id$|account-id|-user$|public/
/** Rules that match an address, not a secret. */
const ADDRESSES = /azureappconfig|couchbase\.connectionString|ldap\.iad|jdbc\.|pubnubpublish/

function trufflehogRules(folder, skipped) {
  return goFiles(folder).flatMap((path) => {
    const source = readFileSync(path, 'utf8')
    const vendor = path.slice(folder.length + 1).split('/')[0]
    const compiled = [...source.matchAll(/(\w+)\s*(?::=|=)\s*regexp\.MustCompile\((.+)\)\s*(?:\/\/.*)?$/gm)]
    return compiled.flatMap(([, variable, expression]) => {
      if (!SECRET_VARIABLE.test(variable) || NO_SECRET_VARIABLE.test(variable)) return []
      const id = `trufflehog ${vendor}.${variable}`
      if (ADDRESSES.test(id)) return []
      const pattern = evaluate(expression)
      if (pattern === undefined) {
        skipped.push(`${id}: ${expression}`)
        return []
      }
      return rule(id, vendor, pattern, variable, expression.includes('PrefixRegex'), skipped)
    })
  })
}

function goFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.go') && !entry.name.endsWith('_test.go'))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}

const SECRET_VARIABLE = /key|secret|token|pass|pat$|pat\d|pattern|regex/i
const NO_SECRET_VARIABLE =
  /^(?:id|user|username|email|domain|url|host|name|account|endpoint|org|region|tenant|server|instance|project|app|client|role|base|sub|site|company|key(?:id|name)|access(?:key)?id|cid|sid|uri)\w*$|(?:id|Id|ID|user|User|email|Email|domain|Domain|url|Url|URL|host|Host|name|Name|Account|Endpoint|publishable\w*|public\w*|Public\w*|account\w*)(?:Pat|Pattern|Regex|Re|Reg|PatV\d)?\d*$|^publi|invalid|username|userpat|valid|false|exclude|ignore|split|line/

/**
 * Evaluates a Go expression of literals and the helpers of the project to a pattern; undefined for another expression.
 */
function evaluate(expression) {
  let pattern = ''
  let rest = expression.trim()
  while (rest !== '') {
    const part = PARTS.map(([form, value]) => [form.exec(rest), value]).find(([match]) => match !== null)
    if (part === undefined) return undefined
    const [match, value] = part
    pattern += value(match)
    rest = rest.slice(match[0].length).trim()
  }
  return pattern
}

const PARTS = [
  [/^\+/, () => ''],
  [/^`([^`]*)`/, ([, text]) => text],
  [/^"((?:[^"\\]|\\.)*)"/, ([, text]) => text.replaceAll('\\\\', '\\')],
  [/^detectors\.PrefixRegex\(\[\]string\{[^}]*\}\)/, () => ''],
  [
    /^common\.BuildRegex\((?:"([^"]*)"|common\.(\w+)), "([^"]*)", (\d+)\)/,
    ([, set, named, more, n]) => `\\b([${set ?? SETS[named]}${more}]{${n}})\\b`,
  ],
  [
    /^common\.BuildRegexJWT\("([\d,]+)", "([\d,]+)", "([\d,]+)"\)/,
    ([, a, b, c]) => `\\b(ey[0-9a-zA-Z]{${a}}\\.ey[0-9a-zA-Z\\-_]{${b}}\\.[0-9a-zA-Z\\-_]{${c}})\\b`,
  ],
  [/^common\.UUIDPattern\b/, () => '\\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\\b'],
  [
    /^common\.UUIDPatternUpperCase\b/,
    () => '\\b([0-9A-Z]{8}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{12})\\b',
  ],
]
const SETS = { RegexPattern: '0-9a-z', AlphaNumPattern: '0-9a-zA-Z', HexPattern: '0-9a-f' }

/** `needsName`: the rule requires the vendor's name before the value, so the value's own start is not enough. */
function rule(id, vendor, pattern, variable, needsName, skipped) {
  try {
    const tree = longestCapture(parse(pattern))
    const start = fixedStart(tree)
    const name = `${vendor.replace(/-(?:api-)?(?:key|token|secret|access|password).*$/, '').replaceAll('-', '_')}_${noun(`${variable} ${id}`)}`
    return [{ id, name, tree, value: JSON.stringify(tree), prefix: !needsName && isVendorStart(start) }]
  } catch (error) {
    skipped.push(`${id}: ${error.message}`)
    return []
  }
}

function noun(words) {
  if (/pass/i.test(words)) return 'password'
  if (/secret/i.test(words)) return 'secret'
  return /token|pat\b|bearer/i.test(words.replace(/\w*Pat\b/, '')) || /tokenPat/i.test(words)
    ? 'token'
    : 'api_key'
}

/** Four characters, or three with one that is not a letter. Shorter starts are in ordinary words too. */
function isVendorStart(start) {
  return start.length >= 4 || (start.length === 3 && /[^A-Za-z]/.test(start))
}
