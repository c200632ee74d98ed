import { expect, test } from 'vitest'
import { toolVocabulary } from '../../src/clients/all-tools.ts'
import { ownVerbsOf } from '../../src/session/stopping/own-calls.ts'

const inShell = (command: unknown) => ownVerbsOf({ arguments: { command } })

test.each([
  'cortext agent stop --summary "REST it is; cd /tmp && echo done"',
  ' cortext stop --complete',
  'cortext stop 2>&1 | tail -3',
  'cd api && cortext agent stop --summary "x"',
  'git add -A; cortext agent stop --json | cat',
  'A=1 B="two words" cortext agent stop',
  'echo y | cortext stop --summary-stdin',
  "cortext agent stop <<'X'\nREST it is.\nX",
  'bash -lc "cortext agent stop --summary \\"REST it is.\\""',
  "/bin/sh -c 'cortext agent stop'",
  'cmd /d /s /c "cortext agent stop"',
  'powershell -NoProfile -Command "cortext agent stop"',
  '& "C:\\Program Files\\nodejs\\cortext.cmd" agent stop',
  '/home/ada/.npm/bin/cortext agent stop',
  'npx cortext agent stop',
  '(cortext agent stop)',
  ['bash', '-lc', 'cd api && cortext agent stop --summary "so far"'],
  ['cortext', 'agent', 'stop'],
])('%j stops the conversation of its session', (command) => {
  expect(inShell(command)).toEqual(['stop'])
})

test('a script of Codex CLI is read too', () => {
  const input = 'await tools.exec_command({cmd: "cortext agent stop --summary \\"x\\"", login: true})'
  expect(ownVerbsOf({ arguments: { input } })).toEqual(['stop'])
  expect(ownVerbsOf({ arguments: { cmd: 'cortext agent stop' } })).toEqual(['stop'])
})

test.each([
  'echo cortext agent stop',
  'grep -rn "cortext agent stop" docs',
  'git commit -m "Stop: x && cortext agent stop"',
  "cat > notes.md <<'EOF'\ncortext agent stop\nEOF",
  'cortext stop 3',
  'cortext agent stop --help',
  'cortext agent search stop',
  'cortext list',
  'cortext-wrapper agent stop',
  'man cortext stop',
  '# cortext agent stop',
  '',
  7,
  null,
])('%j does not', (command) => {
  expect(inShell(command)).toEqual([])
})

test('other calls are told apart, and a tool that writes a file calls nothing', () => {
  expect(inShell('cortext agent start plan --title "x"')).toEqual(['start'])
  expect(inShell('npm test && cortext agent save')).toEqual(['save'])
  expect(inShell('cortext resume --here api')).toEqual(['resume'])
  expect(ownVerbsOf({ arguments: { content: 'cortext agent stop', file_path: 'a.md' } })).toEqual([])
})

test('the shells of all clients are known, by the names that their arguments have', () => {
  const shells = Object.values(toolVocabulary()).flatMap((tools) =>
    Object.values(tools).flatMap(({ shell }) => shell ?? []),
  )
  expect(shells.length).toBeGreaterThan(10)
  for (const name of shells)
    expect(ownVerbsOf({ arguments: { [name]: 'cortext agent stop' } }), name).toEqual(['stop'])
})
