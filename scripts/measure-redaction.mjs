// Measures the redaction by the rules of other scanners, and prints every hit in transcripts. Fetch the rules and the
// transcripts to a folder outside of this repository: they belong to other people and must not be committed.
//
//   git clone --depth 1 https://github.com/gitleaks/gitleaks ../gitleaks
//   git clone --depth 1 https://github.com/trufflesecurity/trufflehog ../trufflehog
//   npm run redaction -- --gitleaks ../gitleaks/config/gitleaks.toml --trufflehog ../trufflehog/pkg/detectors
//   npm run redaction -- --transcripts ../some-transcripts

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { dice, draw } from './redaction/draw.mjs'
import { hitsIn } from './redaction/hits.mjs'
import { publishedRules } from './redaction/rules.mjs'
import { SURROUNDINGS } from './redaction/surroundings.mjs'

/** The number of secrets that are drawn for each rule. */
const SECRETS_PER_RULE = 10

const { values } = parseArgs({
  options: {
    gitleaks: { type: 'string' },
    trufflehog: { type: 'string' },
    transcripts: { type: 'string' },
    source: { type: 'string', default: 'src/redact/index.ts' },
  },
})
if (Object.values(values).length === 1) throw new Error('Say what to measure: see the head of this file.')
const redactText = await loadRedaction(values.source)
if (values.gitleaks !== undefined || values.trufflehog !== undefined) measureRules()
if (values.transcripts !== undefined) printHits()

async function loadRedaction(source) {
  const folder = mkdtempSync(join(tmpdir(), 'redaction-'))
  const outfile = join(folder, 'redact.mjs')
  try {
    await build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      logLevel: 'error',
    })
    return (await import(pathToFileURL(outfile).href)).redactText
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function measureRules() {
  const { rules, skipped } = publishedRules(values)
  const counts = new Map()
  const misses = new Map()
  for (const [n, rule] of rules.entries()) {
    const roll = dice(n + 1)
    const drawn = Array.from({ length: SECRETS_PER_RULE }, () => draw(rule.tree, roll).trim())
    for (const [surroundings, write] of Object.entries(SURROUNDINGS)) {
      const found = drawn.filter((value) =>
        isFound(value, write(value, rule.prefix ? 'value' : rule.name)),
      ).length
      count(`${kindOf(rule)}\t${surroundings}`, found)
      if (surroundings !== 'bare' || rule.prefix) count(`${kindOf(rule)}\tall`, found)
      if (found < SECRETS_PER_RULE && (surroundings !== 'bare' || rule.prefix)) {
        const missed = misses.get(rule) ?? []
        misses.set(rule, [...missed, `${surroundings} ${SECRETS_PER_RULE - found}`])
      }
    }
  }
  console.log('Missed (of ten drawn each):')
  for (const [rule, places] of misses) {
    console.log(`${kindOf(rule)}  ${rule.id}  ${draw(rule.tree, dice(7)).slice(0, 60)}  ${places.join(', ')}`)
  }
  console.log(`\nNot readable, left out: ${skipped.length}`)
  for (const line of skipped) console.log(`  ${line}`)
  const byKind = (prefix) => rules.filter((rule) => rule.prefix === prefix).length
  console.log(`\n${rules.length} rules: ${byKind(true)} with a vendor's start, ${byKind(false)} without.`)
  console.log('surroundings      vendor’s start   the surroundings name it')
  for (const place of [...Object.keys(SURROUNDINGS), 'all']) {
    const shares = ['prefix', 'named'].map((kind) => share(counts.get(`${kind}\t${place}`)))
    console.log(
      `${place.padEnd(18)}${shares[0].padEnd(17)}${place === 'bare' ? `(${shares[1]})` : shares[1]}`,
    )
  }

  function count(key, found) {
    const before = counts.get(key) ?? { found: 0, of: 0 }
    counts.set(key, { found: before.found + found, of: before.of + SECRETS_PER_RULE })
  }
}

function kindOf(rule) {
  return rule.prefix ? 'prefix' : 'named'
}

/**
 * Whether the redaction finds a secret: its second half must not be left. Of a database's URL only the password is
 * secret, so any change counts.
 */
function isFound(secret, text) {
  const half = secret.slice(Math.floor(secret.length / 2))
  const left = redactText(text).text
  if (/^mongodb/.test(secret)) return left !== text
  return !left.includes(half) && !left.includes(encodeURIComponent(half))
}

function share(count) {
  return count === undefined ? '–' : `${((100 * count.found) / count.of).toFixed(1)} %`
}

/**
 * Prints every replaced part of the texts for a person to check. The output contains the secrets: do not publish it.
 */
function printHits() {
  let bytes = 0
  let hits = 0
  for (const { file, size, found } of hitsIn(values.transcripts, redactText)) {
    bytes += size
    hits += found.length
    for (const { kind, before, secret, after } of found)
      console.log(`${file}  ${kind}  ${before}⟦${secret}⟧${after}`)
  }
  console.log(`${hits} hits in ${(bytes / 1e6).toFixed(1)} MB`)
}
