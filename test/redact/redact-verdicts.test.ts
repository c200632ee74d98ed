import { describe, expect, it } from 'vitest'
import { redactText } from '../../src/redact/index.ts'
import { drawer, HEX } from './redact-corpus.ts'

const COMMIT = drawer(31)(40, HEX)
const P = 'Qm82nL!wXz0'

describe('pass as a verdict is no name of a password', () => {
  it.each([
    `| Tests | PASS | ${COMMIT} |`,
    `| Tests | **PASS** | \`${COMMIT}\` |`,
    `| Tests | ✅ PASS | ${COMMIT} |`,
    `| Users can log in | PASS | ${COMMIT} |`,
    `| Login | PASS | ${COMMIT} |`,
    `| my server starts | pass | ${COMMIT} |`,
    '| branch | `PASS` | `origin/test/phase2-b952d38c2dc5` |',
    '| 7 | PASS | ISO-27001/A.9.4.3 |',
    `| unit | pass | ${COMMIT} |`,
    `| unit | Pass | ${COMMIT} |`,
    `| Check | PASS | FAIL |\n|---|---|---|\n| unit | ${COMMIT} | x |`,
    `│ unit │ PASS │ ${COMMIT} │`,
    `unit\tPASS\t${COMMIT}`,
    `unit  PASS  ${COMMIT}`,
    `PASS  ${COMMIT}`,
    `unit,PASS,${COMMIT}`,
    `"unit","PASS","${COMMIT}"`,
    "✓ PASS: 'md:grid-cols-5'",
    "✓ pass: 'md:grid-cols-5'",
    "[1/4] PASS: 'md:grid-cols-5'",
    `build PASS: ${COMMIT}`,
    `build PASS - ${COMMIT}`,
    `build → PASS → ${COMMIT}`,
    `pass: ${COMMIT} fail: 0`,
    `the first pass: ${COMMIT}`,
    `${COMMIT} was marked as PASS`,
    `<tr><td>unit</td><td>PASS</td><td>${COMMIT}</td></tr>`,
    'PASS src/a1.test.ts',
    '{"just over 5m is Pass", 5*time.Minute + 1, StatusPass}',
    'const allPass = pass1 && pass2',
  ])('%s', (text) => expect(redactText(text)).toEqual({ text, found: [] }))

  it.each([
    `PASS=${P}`,
    `pass: ${P}`,
    `pass: "${P}"`,
    `| user | ada | pass | ${P} |`,
    `| user | pass |\n|---|---|\n| ada | ${P} |`,
    `| User | PASS |\n|---|---|\n| ada | ${P} |`,
    `| pass | ${P} |`,
    `user: ada PASS: ${P}`,
    `db pass: ${P}`,
    `Grafana pass: ${P}`,
    `<pass>${P}</pass>`,
    `<key>pass</key><string>${P}</string>`,
    `{"name":"PASS","value":"${P}"}`,
    `{"user":"ada","pass":"${P}"}`,
  ])('%s has a password', (text) => expect(redactText(text).text).not.toContain(P))
})
