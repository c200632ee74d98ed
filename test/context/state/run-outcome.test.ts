import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { recapOf } from '../../../src/context/recap.ts'
import { historyOf } from '../../../src/context/select-strategy.ts'
import { failedCalls } from '../../../src/context/state/failed-calls.ts'
import { outcomeOf } from '../../../src/context/state/runs/run-outcome.ts'
import { commitLine, toolStateOf } from '../../../src/context/state/tool-state.ts'
import type { Message } from '../../../src/session/schema.ts'
import { said, session } from '../../session/conversations.ts'
import { tokenizer } from '../building.ts'
import { TOOLS } from '../tools.ts'

/** A run of a command, as a client records it: with its output, and whether the exit code was another than 0. */
interface Run {
  command: string
  output: string
  failed?: boolean
}

let calls = 0
const recorded = ({ command, output, failed = false }: Run): Message[] => {
  const id = `c${calls++}`
  const client = 'claude'
  const call = { id, name: 'Bash', arguments: { command } }
  return [
    said(`${id}a`, { role: 'assistant', content: '', tool_calls: [call], client }),
    said(`${id}r`, {
      ...{ role: 'tool', content: output, tool_call_id: id, client },
      ...(failed ? { is_error: true } : {}),
    }),
  ]
}
const result = (content: string, more: Partial<Message> = {}) =>
  said(`r${calls++}`, { role: 'tool', content, client: 'claude', ...more })
const checksOf = (...runs: Run[]) =>
  toolStateOf(historyOf({ messages: runs.flatMap(recorded), project: 'p', tools: TOOLS })).checks
const failingIn = (...runs: Run[]) =>
  checksOf(...runs)
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name }) => name)
const fine = (command: string, output = ''): Run => ({ command, output })
const bad = (command: string, output = ''): Run => ({ command, output, failed: true })

describe('law: what is said of a run is what it returned', () => {
  /** A check, and what it prints when it passes and when it fails. */
  const CHECKS = [
    [
      'go test -v ./api',
      '--- PASS: TestA (0.01s)\nPASS\nok  \tapp/api\t0.4s',
      '--- FAIL: TestA\nFAIL\tapp/api\t0.1s\nFAIL',
    ],
    ['npx vitest run test/a.test.ts', ' Tests  3 passed (3)', ' Tests  1 failed | 2 passed (3)'],
    ['pytest tests', '12 passed in 0.3s', 'tests/a.py:3: AssertionError\n1 failed, 11 passed in 0.3s'],
    ['mise run lint', '0 issues.', 'a.go:3:4: unused (unused)\n1 issues:\n[lint] ERROR task failed'],
    ['npx tsc --noEmit', '', 'src/a.ts(3,4): error TS2307: Cannot find module'],
    ['cargo test', 'test result: ok. 3 passed; 0 failed', 'test result: FAILED. 2 passed; 1 failed'],
  ] as const
  /** Words that a program under test prints, whether its tests pass or not. */
  const noise = fc.constantFrom(
    '',
    'Error: expected, the hook refused',
    'Failed to fetch: remote not found',
    'fatal: no tree',
  )
  const run = fc.record({
    check: fc.constantFrom(...CHECKS),
    passes: fc.boolean(),
    noise,
    how: fc.constantFrom('plain', 'after cd', 'tail', 'head', 'grep', 'echo'),
  })

  const commandOf = (check: string, how: string) =>
    ({
      plain: check,
      'after cd': `cd /work/app && CI=1 ${check} 2>&1`,
      tail: `${check} 2>&1 | tail -30`,
      head: `${check} 2>&1 | head -1`,
      grep: `${check} 2>&1 | grep -A 3 zzz`,
      echo: `${check}; echo finished`,
    })[how]!

  test('whatever a program prints, and whatever hides its exit code', () => {
    fc.assert(
      fc.property(run, ({ check: [check, good, wrong], passes, noise, how }) => {
        const whole = `${noise}\n${passes ? good : wrong}`.trim()
        const output = how === 'head' ? whole.split('\n')[0]! : how === 'grep' ? '' : whole
        const isHidden = how !== 'plain' && how !== 'after cd'
        const [known] = checksOf({ command: commandOf(check, how), output, failed: !isHidden && !passes })
        const truth = passes ? 'passed' : 'failed'
        if (!isHidden) expect(known?.outcome).toBe(truth)
        // Without an exit code it may be unknown, but never the opposite; a failure is said if the output says so.
        else if (how === 'tail' && noise === '' && whole !== '') expect(known?.outcome).toBe(truth)
        else expect(known?.outcome).not.toBe(passes ? 'failed' : 'passed')
      }),
    )
  })

  test('only a failed run is called failing in the recap, however it is named', () => {
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), (runs) => {
        const messages = runs.flatMap(({ check: [check, good, wrong], passes }) =>
          recorded({ command: check, output: passes ? good : wrong, failed: !passes }),
        )
        const last = new Map(runs.map(({ check: [check], passes }) => [check, passes]))
        const told = recapOf(
          {
            session: session(),
            history: historyOf({ messages: [said('u'), ...messages], project: 'p', tools: TOOLS }),
            now: new Date('2026-11-24T12:00:00Z'),
            changed: [],
          },
          tokenizer.count,
        )
        expect(told.includes('- Failing:')).toBe([...last.values()].includes(false))
      }),
    )
  })
})

describe('the exit code counts where it is that of the checks', () => {
  test.each<[string, string, Partial<Message>, string]>([
    ['go test -v ./...', 'Failed to fetch: remote not found\n--- FAIL: not ours\nPASS', {}, 'passed'],
    ['cd a && go build ./... && go test ./...', 'error: 3 errors', {}, 'passed'],
    ['npm test', 'Tests  3 passed', { is_error: true }, 'failed'],
    ['export A=1\nnpm test', '', { is_error: true }, 'failed'],
    // A filter that finds nothing ends with 1, and so does a later command.
    ['npm test | grep FAIL', '', { is_error: true }, 'unknown'],
    ['npm test; ls missing', 'Tests  3 passed\nNo such file', { is_error: true }, 'passed'],
    ['go build ./... && npm test | tail -3', 'a.go:1:2: x', { is_error: true }, 'failed'],
    ['npm test || true', 'Tests  2 failed', {}, 'failed'],
    ['go test ./... | grep -v "parser.c" | tail -3', 'ok  \tapp\t0.2s', {}, 'passed'],
    ['go test ./... | grep -v FAIL', 'ok  \tapp\t0.2s', {}, 'unknown'],
    ['go build ./app; echo "exit: $?"', 'parser.c:254:18: warning: null character', {}, 'unknown'],
    ['npm test; echo "exit: $?"', 'exit: 1', {}, 'failed'],
    ['npm test 2>&1 | head -2', 'Tests  1 passed\nmore', {}, 'unknown'],
    ['go build ./... 2>&1 | head -20', '', {}, 'passed'],
    // It has not ended, or was stopped.
    ['npm test', 'Command running in background with ID: b1. Output is being written to: x', {}, 'unknown'],
    ['npm test', 'Exit code 137\n[Request interrupted by user for tool use]', { is_error: true }, 'unknown'],
    // Gemini CLI names the exit code in the output.
    ['npm test', 'Output: x\nExit Code: 1\nSignal: (none)', { client: 'gemini' }, 'failed'],
  ])('%j that printed %j', (command, output, more, outcome) => {
    expect(outcomeOf(command, result(output, more))).toBe(outcome)
  })

  test('a program that records no exit code is judged by its output', () => {
    const run = said('r', { role: 'tool', content: 'FAIL test/a.test.ts\n2 failed' })
    expect(outcomeOf('npm test', run)).toBe('failed')
  })

  test('a check did not fail because what follows it did', () => {
    expect(
      failingIn(bad('npm test && git push', 'Tests  3 passed\nerror: failed to push some refs')),
    ).toEqual([])
    expect(failingIn(bad('npm test && git push', 'Tests  1 failed'))).toEqual(['npm test'])
    expect(failingIn(bad('go build -o /tmp/x ./app && /tmp/x aaaa', 'Error: unknown command'))).toEqual([])
  })

  test('a check that did not run, that a person stopped, or that found nothing to check has no result', () => {
    for (const output of [
      'bash: line 1: pytest: command not found',
      'zsh:1: command not found: pytest',
      '/bin/sh: 1: pytest: not found',
      "'pytest' is not recognized as an internal or external command,\noperable program or batch file.",
      'Collecting a.py\n\n\nCommand aborted',
      'npm error code E404\nnpm error 404 Not Found',
    ])
      expect(checksOf(bad('pytest', output))).toEqual([])
    expect(failingIn(bad('pytest', 'E  Error: not found\n1 failed'))).toEqual(['pytest'])
    expect(
      checksOf(fine('npx markdownlint-cli2 x.md | tail', 'Linting: 0 file(s)\nSummary: 0 error(s)')),
    ).toEqual([])
  })

  test('a fault that the agent says was there before is none of this work', () => {
    const failed = bad('go vet ./...', 'a.go:1:2: possible misuse')
    const says = (content: string) => said(content, { role: 'assistant', content })
    const failing = (...parts: readonly Message[][]) =>
      toolStateOf(historyOf({ messages: parts.flat(), project: 'p', tools: TOOLS })).checks.length
    expect(failing(recorded(failed), [says('These warnings are pre-existing.')])).toBe(0)
    expect(failing(recorded(failed), [says('It was failing before my change.')])).toBe(0)
    expect(failing(recorded(failed), [says('It already failed twice.')])).toBe(1)
    expect(failing([says('Those warnings are pre-existing.')], recorded(failed))).toBe(1)
    const later = [said('u', { content: 'go on' }), says('One is unrelated to us.')]
    expect(failing(recorded(failed), later)).toBe(1)
  })

  test('remarks of an analyzer without an error say nothing, as long as nobody knows the exit code', () => {
    const remarks = '   info • Use const • lib/a.dart:3:1 • prefer_const\n\n2 issues found. (ran in 2s)'
    expect(checksOf(fine('flutter analyze | tail -5', remarks))).toEqual([])
    expect(failingIn(bad('flutter analyze', remarks))).toEqual(['flutter analyze'])
    expect(
      failingIn(fine('flutter analyze | tail -5', `  error • Undefined name • lib/a.dart:1:1\n${remarks}`)),
    ).toEqual(['flutter analyze'])
  })

  test('what no check is has no result', () => {
    expect(
      checksOf(
        fine('git check-ref-format main'),
        fine('/tmp/my-test --help'),
        fine('golangci-lint run --help'),
        fine('cat > notes <<EOF\nnpm test\nEOF'),
        fine('# run npm test\nls'),
        fine('git stash && npm test; git stash pop', '3 passed'),
      ),
    ).toEqual([])
  })

  test('of checks that run one after the other in any case, nobody knows which one failed', () => {
    expect(failingIn(fine('npm run lint; npm test', 'Tests  1 failed'))).toEqual([])
    expect(failingIn(bad('npm run lint && npm test', 'Tests  1 failed'))).toHaveLength(1)
  })

  test('a formatter is a check only if it is told to check, and one that formats ends the failure', () => {
    expect(checksOf(bad('ruff format src', 'error: no such file'))).toEqual([])
    const checked = bad(
      'bunx prettier --check docs/a.mdx',
      '[warn] Code style issues found in the above file.',
    )
    expect(checksOf(checked)).toMatchObject([{ name: 'prettier --check docs/a.mdx', outcome: 'failed' }])
    expect(
      checksOf(fine('npx prettier --check . | tail -2', 'All matched files use Prettier code style!')),
    ).toMatchObject([{ name: 'prettier --check', outcome: 'passed' }])
    expect(failingIn(bad('npm run format:check', 'x'))).toEqual(['npm run format:check'])
    for (const format of [
      'npx prettier --write docs/a.mdx',
      'npx prettier -w .',
      'bunx prettier --check docs',
    ])
      expect(failingIn(checked, fine(format))).toEqual([])
    expect(failingIn(checked, fine('npx prettier --write docs/b.mdx'))).toHaveLength(1)
    expect(
      failingIn(bad('ruff format --check src', '1 file would be reformatted'), fine('ruff format .')),
    ).toEqual([])
  })

  test('a filter of Windows hides what it does not show, and a frame of the client is no output', () => {
    const built = (filter: string, output = ' Compiled successfully') =>
      checksOf(
        fine(
          `cd C:\\app && npm run build 2>&1 | ${filter}`,
          `Output: ${output}\nError: (none)\nExit Code: 0\nSignal: (none)`,
        ),
      ).map(({ outcome }) => outcome)
    expect(built('findstr /C:"error" /C:"Compiled" /C:"Failed"')).toEqual(['passed'])
    expect(built('findstr Compiled')).toEqual([])
    expect(built('findstr /v error')).toEqual([])
    expect(built('findstr error', 'error TS2307: Cannot find module')).toEqual(['failed'])
  })

  test('of a run whose result is not known, nothing is said', () => {
    expect(checksOf(fine('npm test | grep zzz'))).toEqual([])
  })
})

describe('a later run counts instead of one that failed', () => {
  test.each([
    ['go test ./pkg -run TestX', 'go test ./...'],
    ['go test ./pkg -run TestX', 'go test -race ./...'],
    ['go test ./pkg/ -run "TestX|TestY"', 'go test ./pkg'],
    ['go test ./cmd/app/cli -count 1', 'go test ./cmd/...'],
    ['go test ./pkg -run TestX', 'mise run test'],
    ['go test -tags=integration ./pkg', 'mise run test:ci'],
    ['go test -tags integration ./pkg', 'go test -tags=integration ./...'],
    ['golangci-lint run ./...', 'mise run lint'],
    ['npx vitest run test/a.test.ts', 'npm test'],
    ['npx vitest run test/a.test.ts', 'npx vitest run test'],
    ['npx eslint src/a.ts', 'make lint'],
    ['go build -o app ./cmd/app', 'go build ./...'],
    // Nothing says which of the two failed.
    ['go build ./... && mise run test', 'go build ./...'],
    ['npm run lint', 'npm run lint:fix'],
    ['bun run lint', 'bunx biome check --write .'],
    ['npm run test:coverage', 'npm test'],
    ['npx tsc --noEmit', 'pnpm type-check'],
    ['pnpm --filter web test', 'pnpm --filter web test'],
    ['pnpm --filter web test', 'pnpm -r test'],
    ['npm test -w web', 'npm test'],
    ['yarn workspace web test', 'yarn test'],
    ['(cd app && ./gradlew :app:test)', './gradlew clean test'],
    ['mvn -q -Dtest=ApiTest test', 'mvn -B test'],
    ['cd app && npx eslint src/a.ts', 'npx eslint app/src/a.ts'],
    // Whatever a command is run by, a reader calls it the same check.
    ['uv run pytest', 'uv run --with pytest pytest'],
    ['uv run ruff check .', 'uvx ruff check .'],
    ['uv run --frozen --extra dev pytest tests/a.py', '.venv/bin/python -m pytest'],
    ['python3.12 -X dev -m pytest', 'poetry run python -m pytest -q | tail -3'],
    ['pytest', 'nix-shell --run "pytest -q" 2>&1 | tail -3'],
    ['nix develop .#ci --command bash -c "cd a && pytest"', 'coverage run -m pytest'],
    ['npm test', 'bash -lc "cd app && npm test"'],
    ['pwsh -NoProfile -Command "npm test"', 'cmd /c npm test'],
    ['npx vitest run', 'pnpm vitest run'],
    ['timeout -k 5 60 npm test', 'mise exec node@22 -- npm test'],
  ])('%s, then %s', (failed, passed) => {
    expect(failingIn(bad(failed, 'FAIL'), fine(passed, 'ok'))).toEqual([])
  })

  test.each([
    ['go test ./...', 'go test ./pkg'],
    ['go test ./a', 'go test ./b'],
    ['go test -run TestX ./pkg', 'go test -run TestY ./pkg'],
    ['go test ./pkg', 'go test -run TestX ./pkg'],
    ['go test -tags=integration ./pkg', 'go test ./...'],
    ['go test -race ./...', 'go test ./...'],
    ['go test -tags=integration ./pkg', 'mise run test'],
    ['go test ./a/b/c', 'go test ./a/b'],
    ['go test ./...', 'go test -c ./...'],
    ['go test ./...', 'mise run lint'],
    ['go test ./...', 'mise run test -- ./pkg'],
    ['./scripts/test-harness.sh verify', 'mise run test'],
    ['pnpm --filter web test', 'pnpm --filter api test'],
    ['npm run lint', 'npm run build'],
    ['bash -c "npm test"', 'bash -c "npm run lint"'],
    ['uv run pytest', 'uv run --package api pytest'],
    ['uv run pytest', 'uv run --with pytest pytest tests/a.py'],
  ])('not %s, then %s', (failed, passed) => {
    expect(failingIn(bad(failed, 'FAIL'), fine(passed, 'ok'))).toHaveLength(1)
  })

  test('a run whose result is not known takes the place of one that failed', () => {
    expect(failingIn(bad('npm test', '2 failed'), fine('npm test | grep zzz'))).toEqual([])
    const [loose, exact] = ['go test -run "TestA" ./a', 'go test -run "TestA$" ./a']
    expect(failingIn(bad(loose, 'FAIL'), bad(exact, 'FAIL'))).toHaveLength(1)
    expect(failingIn(bad(loose, 'FAIL'), fine(exact, 'ok'))).toHaveLength(1)
    // The places of one run may pass one by one.
    const [both, one, other] = ['go build ./a/ ./b/', 'go build ./a/', 'go build -o /tmp/b ./b/']
    expect(failingIn(bad(both), fine(one), fine(other))).toEqual([])
    expect(failingIn(bad(both), fine(one))).toEqual([both])
  })
})

describe('hooks of a commit do what they run', () => {
  const lint = bad('bun run lint', '3 errors')
  test.each([
    'Build...................Passed\nLint....................Passed\nTo github.com:ann/app.git',
    '✔ Running tasks for staged files...\n✔ eslint --fix\n[main 1a2b3c4] Fix it',
    '$ biome check . && bun run lint\nChecked 545 files\n[main 1a2b3c4] Fix it',
  ])('a commit whose hooks passed ends a failure: %j', (output) => {
    expect(failingIn(lint, fine('git add -A && git commit -m x', output))).toEqual([])
    const history = historyOf({
      messages: [lint, fine('git commit -m x', output)].flatMap(recorded),
      ...{ project: 'p', tools: TOOLS },
    })
    expect(failedCalls(history)).toEqual([])
  })

  test.each<[string, Run]>([
    ['without hooks', fine('git commit -m x', '[main 1a2b3c4] Lint it')],
    ['that left its hooks out', fine('git commit --no-verify -m x', 'Lint......Passed')],
    ['whose hooks ran something else', fine('git commit -m x', 'Typecheck......Passed')],
    ['that a hook refused', bad('git commit -m x', 'Build......Passed\nLint......Failed')],
  ])('a commit %s ends none', (_, commit) => {
    expect(failingIn(lint, commit)).toContain('bun run lint')
  })
})

test('a commit does not end a failure of `make check`, which names nothing that a hook could say', () => {
  const commit = fine('git commit -m x', '$ biome check .\n✔ prettier\n[main 1a2b3c4] Fix it')
  expect(failingIn(bad('make check', '3 errors'), commit)).toEqual(['make check'])
})

describe('the name of a check', () => {
  test.each([
    ['bun run test', 'bun run test'],
    ['pnpm --filter web test', 'pnpm test --filter=web'],
    ['npx vitest run', 'vitest'],
    ['node --test', 'node --test'],
    ['yarn lint:fix', 'yarn lint:fix'],
    ['(cd api && mix test)', 'mix test'],
    ['cd api; dotnet test Api.sln', 'dotnet test Api.sln'],
    ['vendor/bin/phpunit tests/ApiTest.php', 'phpunit tests/ApiTest.php'],
    ['bundle exec rspec', 'rspec'],
    ['deno task test', 'deno task test'],
    ['swift test', 'swift test'],
    ['cd src && ./gradlew :app:test', 'gradlew :app:test'],
    ['result=$(npx eslint src)', 'eslint src'],
    ['nix-shell --run "pytest -q"', 'pytest'],
    ['log=$(mktemp) && npm test > "$log"', 'npm test'],
    ['for d in a b; do (cd "$d" && go vet ./...); done', 'go vet'],
    ['timeout 60 bash -lc \'cd api && if true; then npx tsc -p "a b.json"; fi\'', 'tsc -p "a b.json"'],
    ['npm test -- --grep="a b"', 'npm test --grep="a b"'],
  ])('%s is called %s', (command, name) => {
    expect(checksOf(bad(command, '1 failed')).map((check) => check.name)).toEqual([name])
  })

  test.each([
    'cat $(ls testfile.txt)',
    '(cat a.txt testfile.txt)',
    'diff <(sort a) testfile.txt)',
    'command -v golangci-lint',
    'entire checkpoint list',
    'for spec in a b; do echo $spec; done',
    'if (Test-Path themes.json) { "ok" }',
    '$testDir = "x"',
    'SP="/work/lint" && ls $SP',
    'gh pr checks 12',
    '*** Begin Patch\n*** Update File: README.md\n@@\n+```bash\n+npm run lint\n+opk validate a.json\n',
    'later() { npm test; }; echo later',
    'rg -n "vitest run\\|npm-test|go-test" docs',
    'echo "bash -c \'npm test\'"',
    'git commit -m "bash -c: npm test"',
  ])('%s is no check', (command) => {
    expect(checksOf(fine(command, '3 passed'))).toEqual([])
  })
})

describe('an exit code that the command prints', () => {
  test.each([
    ['npm test > log; echo "exit=$?"', 'exit=0', 'passed'],
    ['npm test > log; echo "exit=$?"', 'exit=2', 'failed'],
    ['npm test | tail -1; echo "exit=$?"', 'exit=0', 'unknown'],
    ['npm test | tail -1; echo "exit=${PIPESTATUS[0]}"', 'exit=0', 'passed'],
    ['go build ./... | tail -3 && echo BUILD_OK', 'BUILD_OK', 'passed'],
    ['go build ./... | tail -3', '(Bash completed with no output)', 'passed'],
    ['npx tsc --noEmit | findstr "error TS"', 'Output: (empty)\nError: (none)\nExit Code: 1', 'unknown'],
    ['npm test', 'Exit code 143\nCommand timed out after 2m 0s', 'unknown'],
  ])('%j that printed %j', (command, output, outcome) => {
    expect(outcomeOf(command, result(output))).toBe(outcome)
  })
})

describe('why a run failed', () => {
  test.each([
    ['a.go:3:4: undefined: x\n1 issues:\nfunc Get(name string) (T, error) {', 'a.go:3:4: undefined: x'],
    [
      '--- FAIL: TestA (0.1s)\n    a_test.go:9: completed without an error\nFAIL\nFAIL\tapp',
      '--- FAIL: TestA (0.1s)',
    ],
    ['FAIL test/a.test.ts\nTests  2 failed | 40 passed\nsrc/a.ts:3:4: x', 'Tests 2 failed | 40 passed'],
    ['Error: no such file\nbye', 'Error: no such file'],
    ['bye', 'bye'],
    ['', ''],
  ])('%j', (output, why) => {
    const [check] = checksOf(bad('npm test', output))
    expect(check?.why).toBe(why)
  })

  test('a chain names each check once', () => {
    const [check] = checksOf(fine('npm test && npm run build && npm test'))
    expect(check?.name).toBe('npm test && npm run build')
  })
})

describe('a program that goes on when its call returns', () => {
  const running = 'Chunk ID: e24fc7\nWall time: 1.0 seconds\nProcess running with session ID 91798\nOutput:\n'
  const begun = (command: string): Message[] => [
    said('a', {
      role: 'assistant',
      content: '',
      tool_calls: [{ id: 'c', name: 'Bash', arguments: { command } }],
    }),
    said('r', { role: 'tool', content: running, tool_call_id: 'c', client: 'claude' }),
  ]
  const asked = (id: string, content: string, more: Partial<Message> = {}): Message[] => [
    said(`${id}a`, {
      ...{ role: 'assistant', content: '' },
      tool_calls: [{ id, name: 'write_stdin', arguments: { session_id: 91798 } }],
    }),
    said(`${id}r`, { role: 'tool', content, tool_call_id: id, client: 'claude', ...more }),
  ]
  const outcomes = (...messages: Message[][]) =>
    toolStateOf(historyOf({ messages: messages.flat(), project: 'p', tools: TOOLS })).checks.map(
      ({ outcome }) => outcome,
    )

  test('has the outcome of the call that saw its end', () => {
    expect(outcomes(begun('npm test'))).toEqual([])
    expect(outcomes(begun('npm test'), asked('x', running))).toEqual([])
    expect(outcomes(begun('npm test'), asked('x', running), asked('y', 'ok'))).toEqual(['passed'])
    expect(outcomes(begun('npm test'), asked('y', '2 failed', { is_error: true }))).toEqual(['failed'])
    const { commits } = toolStateOf(
      historyOf({
        messages: [begun('git commit -m x'), asked('y', '[wip 1a2b3c4] Move the docs')].flat(),
        ...{ project: 'p', tools: TOOLS },
      }),
    )
    expect(commits.map(commitLine)).toEqual(['1a2b3c4 Move the docs (wip)'])
  })
})

test.each([
  ['./deploy.sh | tail -5', '✓ built in 3s\nBUILD FAILED', 'passed'],
  ['./scripts/release.sh | tee log', '12 passed\n3 failed', 'passed'],
])('%s has not gone well because an earlier line says so', (command, output, never) => {
  expect(outcomeOf(command, result(output))).not.toBe(never)
})
