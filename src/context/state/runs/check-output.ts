/** How the jobs of a command ended. `unknown`: neither the exit code nor the output says how. */
export type Outcome = 'passed' | 'failed' | 'unknown'

/** Number of characters at the end of an output that are judged. */
const OUTPUT_LENGTH = 20_000

/**
 * Returns how a check ended according to its output. A failed test always counts. A fault that a compiler or linter
 * reports does not count if a later line says that all is well. A line that counts faults says nothing good, even if
 * one of its counts is 0: `5 runs, 1 failures, 0 errors`.
 */
export function verdictOf(output: string): Outcome {
  let [fine, fault, possible] = [-1, -1, -1]
  let saysError = false
  for (const [index, line] of linesOf(output).entries()) {
    if (FAILED_TEST.test(line)) return 'failed'
    if (isFault(line)) {
      fault = index
      saysError ||= FAULT.test(line)
    } else if (FINE.test(line)) fine = index
    else if (POSSIBLE_FAULT.test(line)) possible = index
  }
  const end = output.slice(-OUTPUT_LENGTH)
  if (NOTHING_CHECKED.test(end)) return 'unknown'
  // `3 issues found` may count remarks alone.
  if (!saysError && REMARK.test(end)) return 'unknown'
  if (fault > fine) return 'failed'
  return fine > possible ? 'passed' : 'unknown'
}

/** What a check says that found nothing to check. */
const NOTHING_CHECKED =
  /^(?:Linting: 0 file|Checked 0 files|No (?:test )?files (?:found|matching)|no tests ran\b)/im
/** A remark of an analyzer, which is no error: `info • Use const • lib/a.dart:3:1`. */
const REMARK = /^[ \t]*(?:info|warning|hint|note)\s*[•:|-]/im

/** Whether a line of the output says that a check failed. */
export function tellsOfFault(output: string): boolean {
  return linesOf(output).some((line) => FAILED_TEST.test(line) || isFault(line))
}

/** Whether the last line that says how a command went says that it went well. */
export function tellsOfSuccess(output: string): boolean {
  const lines = linesOf(output)
  const last = (isSuch: (line: string) => boolean) => lines.findLastIndex(isSuch)
  return last((line) => FINE.test(line)) > last((line) => FAILED_TEST.test(line) || isFault(line))
}

/** The lines of an output without colours, and without the name of the task before each line: `web:test: 3 passed`. */
function linesOf(output: string): string[] {
  return output
    .slice(-OUTPUT_LENGTH)
    .replace(COLOURS, '')
    .replace(OF_CLIENT, '')
    .split(/[\r\n]+/)
    .map((line) => line.replace(TASK_PREFIX, ''))
}

const COLOURS = /\u001b\[[\d;]*m/g
/** What Gemini CLI and Qwen Code write around an output. */
const OF_CLIENT = /^(?:Output: |(?:Error|Signal): \((?:none|empty)\)$)/gm
const TASK_PREFIX = /^(?:\S+[ :])?(?:tests?|build|lint|check|type-?check)[\w:-]*: +/

function isFault(line: string): boolean {
  return FAULT.test(line) || (PROBLEMS.test(line) && !/\b0 errors?\b/i.test(line))
}

function anyOf(flags: string, ...patterns: readonly string[]): RegExp {
  return new RegExp(patterns.join('|'), flags)
}

/** The lines in which test runners say that a test failed. */
const FAILED_TEST = anyOf(
  '',
  String.raw`^\s*(?:--- FAIL|FAIL(?:ED)?(?:\s|$)|not ok \d|\(fail\) )`,
  '^(?:FAILURES|ERRORS|Failed)!',
  String.raw`\b[1-9]\d* (?:tests? |examples? )?(?:failed|failing)\b|(?:^|\s)[1-9]\d* fail$`,
  // JUnit, .NET, PHPUnit and node:test count with the number last: `Failures: 1`, `# fail 1`.
  String.raw`\b(?:Failures|Failed): +[1-9]|^(?:#|ℹ) fail [1-9]|\btests?\b.*\bfailed: [1-9]`,
  String.raw`\bSome tests failed\b|\bTest Run Failed\b|\*\* TEST FAILED|^✘ Test run `,
  String.raw`^exit status [1-9]|\bERROR task failed\b`,
)

/** The lines in which compilers, linters and builds say that a check failed. */
const FAULT = anyOf(
  'i',
  String.raw`(?<![\d.,:/-])[1-9]\d* (?:\w+ )?(?:errors?|failures?)\b(?!\.\w)|\bErrors?: +[1-9]`,
  String.raw`\berror (?:TS|CS|FS|BC|MSB|NU|NETSDK|MD)\d+|\berror\[\w+\]|^error: could not compile`,
  String.raw`^(?:\[[\w:]+\] |\w+(?:\.exe)?: )?\S+\.\w+:\d+:\d+: (?!warning|note|info)`,
  String.raw`^\s*error\s*•|\btypechecking error\b`,
  String.raw`^make(?:\[\d+\])?: \*\*\* |^npm (?:error|err!)|\bELIFECYCLE\b|^error: (?:script|recipe) .*\bexited\b`,
  String.raw`\bcode style issues (?:found|in)\b|\bwould reformat\b|[1-9]\d* files? would be reformatted`,
  String.raw`\bBUILD FAIL(?:ED|URE)\b|^FAILURE: |\bFailed to compile\b|^== Compilation error|^error: Test failed`,
)
const PROBLEMS = /(?<![\d.,:/-])[1-9]\d* (?:\w+ )?(?:problems?|issues?|offenses?|violations?)\b/i

/** Lines that often tell of a failed check. A passing test may print such a line too. */
const POSSIBLE_FAULT = /^[^\w\n]*(?:error|fatal|panic)\b/i

/** The lines in which a check says that all is well. */
const FINE = anyOf(
  'i',
  // Go, Deno, PHPUnit and Python's unittest say `ok`.
  String.raw`^\s*ok(?:[\s,]|$)|^\s*PASS(?:\s|$)|^test result: ok`,
  String.raw`\b[1-9]\d* (?:tests? |checks? )?(?:pass(?:ed|ing)?|ok|succeeded)(?![\w-])`,
  String.raw`\b(?:0|no) (?:\w+ )?(?:issues?|errors?|problems?|warnings?|fail(?:ures?|ed|ing)?|offenses?|violations?)\b`,
  String.raw`\b(?:Failures|Failed|Errors?): +0\b|^(?:#|ℹ) fail 0\b|\bfailed: 0\b`,
  String.raw`\b(?:build|test|run) succe\w+|\bbuild complete\b|\bTest Run Successful\b`,
  String.raw`\bcompiled successfully\b|\bsuccessfully (?:compiled|built|ran)\b|\bbuilt in\b|[✓✔] built`,
  String.raw`\ball (?:\w+ )?(?:checks?|tests?|specs?|files?) (?:passed|succeeded|use|are)\b|\b(?:checks|tests?) passed\b`,
  String.raw`^[1-9]\d* files? (?:would be left unchanged|already formatted)`,
  String.raw`\ball matched files\b|^\W*Finished .*\bprofile\b|^\W*Done in [\d.]+ ?m?s`,
  String.raw`\bprerendered as static\b|^\[(?:OK|SUCCESS)\]|^Checked \d+ files?\b.*\bno fixes\b`,
)
