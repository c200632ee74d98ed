import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { attribute } from '../../../src/extras/why/attribute.ts'
import { trace } from '../../../src/extras/why/trace.ts'
import { openWorkspace } from '../../../src/workspace/open.ts'
import { type Lab, workspaceLab } from '../../helpers/workspace-lab.ts'
import { writeRecord } from './told-history.ts'

const START = Date.parse('2026-01-02T10:00:00Z')
const at = (minute: number) => new Date(START + minute * 60_000).toISOString()
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')
const calls = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `const ${name}${n} = call(${n})`)

function put(lab: Lab, path: string, lines: readonly string[]): void {
  mkdirSync(dirname(join(lab.root, path)), { recursive: true })
  writeFileSync(join(lab.root, path), textOf(lines))
}

function commit(lab: Lab, minute: number): void {
  const env = { ...lab.env, GIT_AUTHOR_DATE: at(minute), GIT_COMMITTER_DATE: at(minute) }
  lab.git('add', '--all', '--', 'src')
  execFileSync('git', ['commit', '--quiet', '-m', `Commit ${minute}`], { cwd: lab.root, env })
}

/** A conversation that writes a file in one call: the minute, the path and the lines of each. */
function conversation(lab: Lab, id: string, writes: readonly [number, string, readonly string[]][]): void {
  const lines = writes.flatMap(([minute, path, lines], n) => {
    const [call, said] = [`toolu_${id}_${n}`, { timestamp: at(minute), client: 'claude', model: 'claude-x' }]
    const args = { file_path: join(lab.root, path), content: textOf(lines) }
    const use = { id: call, name: 'Write', arguments: args }
    const result = { role: 'tool', content: 'ok', tool_call_id: call, tool_name: 'Write' }
    return [
      { id: `${id}-${2 * n}`, seq: 2 * n, ...said, role: 'assistant', content: 'x', tool_calls: [use] },
      { id: `${id}-${2 * n + 1}`, seq: 2 * n + 1, ...said, ...result },
    ]
  })
  writeRecord(lab, id, lines)
}

async function namesOf(lab: Lab, path: string) {
  const lines = await attribute(await trace(openWorkspace(lab.environment), path))
  return lines.map(({ by }) => by?.place.source.session.conversation_id)
}

test('a file that was renamed in the commit in which most of it changed keeps who wrote its lines, twice too', async () => {
  const lab = await workspaceLab()
  const [hand, first, second, third] = [['// by hand'], calls('a', 4), calls('b', 8), calls('c', 20)]
  put(lab, 'src/old.ts', hand)
  commit(lab, 0)
  put(lab, 'src/old.ts', [...hand, ...first])
  commit(lab, 2)
  rmSync(join(lab.root, 'src/old.ts'))
  put(lab, 'src/lib/new.ts', [...hand, ...first, ...second, '// mine'])
  commit(lab, 4)
  rmSync(join(lab.root, 'src/lib/new.ts'))
  put(lab, 'src/newest.ts', [...hand, ...first, ...second, '// mine', ...third])
  commit(lab, 6)
  conversation(lab, '001-plan-one', [[1, 'src/old.ts', [...hand, ...first]]])
  conversation(lab, '002-plan-two', [[3, 'src/old.ts', [...hand, ...first, ...second]]])
  const last = [...hand, ...first, ...second, '// mine', ...third]
  conversation(lab, '003-plan-three', [[5, 'src/lib/new.ts', last]])
  // Git itself sees new files.
  expect(lab.git('log', '--format=', '--name-status', '-M', 'HEAD~2..')).not.toMatch(/^R/m)
  expect(await namesOf(lab, 'src/newest.ts')).toEqual([
    undefined,
    ...first.map(() => '001-plan-one'),
    ...second.map(() => '002-plan-two'),
    undefined,
    ...third.map(() => '003-plan-three'),
  ])
})

test('a new file that has some lines of one that was removed with the same commit is not that file', async () => {
  const lab = await workspaceLab()
  const [head, rest] = [calls('a', 4), calls('b', 6)]
  put(lab, 'src/old.ts', ['// by hand'])
  commit(lab, 0)
  put(lab, 'src/old.ts', [...head, ...rest])
  commit(lab, 2)
  rmSync(join(lab.root, 'src/old.ts'))
  put(lab, 'src/new.ts', [...head, ...calls('mine', 20)])
  commit(lab, 4)
  conversation(lab, '001-plan-one', [[1, 'src/old.ts', [...head, ...rest]]])
  expect(new Set(await namesOf(lab, 'src/new.ts'))).toEqual(new Set([undefined]))
})

test('of several removed files the one that became most like the new one is its old name', async () => {
  const lab = await workspaceLab()
  const [own, come] = [calls('a', 3), calls('b', 9)]
  put(lab, 'src/one.ts', ['// one'])
  put(lab, 'src/two.ts', own)
  commit(lab, 0)
  for (const path of ['src/one.ts', 'src/two.ts']) rmSync(join(lab.root, path))
  put(lab, 'src/new.ts', [...own, ...come])
  commit(lab, 2)
  conversation(lab, '001-plan-one', [[1, 'src/one.ts', ['// one', ...come.slice(0, 7), ...calls('c', 2)]]])
  conversation(lab, '002-plan-two', [[1, 'src/two.ts', [...own, ...come]]])
  expect(await namesOf(lab, 'src/new.ts')).toEqual([
    ...own.map(() => undefined),
    ...come.map(() => '002-plan-two'),
  ])
})

test('a line that the file did not have any more when somebody looked names none when it is typed again later', async () => {
  const lab = await workspaceLab()
  const [own, come, other] = [calls('a', 3), calls('b', 2), calls('c', 2)]
  const versions = [own, [...own, '// by hand'], [...own, '// by hand', ...other]]
  for (const [n, lines] of versions.entries()) {
    put(lab, 'src/a.ts', lines)
    commit(lab, 2 * n)
  }
  put(lab, 'src/a.ts', [...own, '// by hand', ...other, ...come])
  commit(lab, 6)
  // What the first one wrote was thrown away before it was committed.
  conversation(lab, '001-plan-one', [[1, 'src/a.ts', [...own, ...come]]])
  conversation(lab, '002-plan-two', [[3, 'src/a.ts', versions[2]!]])
  expect(await namesOf(lab, 'src/a.ts')).toEqual([
    ...own.map(() => undefined),
    undefined,
    ...other.map(() => '002-plan-two'),
    ...come.map(() => undefined),
  ])
})

test('a line that its neighbours were committed without names none when it is typed again; one that waited names its edit', async () => {
  const lab = await workspaceLab()
  const [own, came, waited] = [calls('a', 3), calls('b', 3), calls('c', 2)]
  put(lab, 'src/a.ts', own)
  commit(lab, 0)
  // A person has changed the second line of the first block, and left the second block for another commit.
  const changed = [came[0]!, `${came[1]} // by hand`, came[2]!]
  put(lab, 'src/a.ts', [...changed, ...own])
  commit(lab, 2)
  put(lab, 'src/a.ts', [...changed, ...own, ...waited])
  commit(lab, 4)
  put(lab, 'src/a.ts', [...changed, ...own, ...waited, came[1]!])
  commit(lab, 6)
  conversation(lab, '001-plan-one', [[1, 'src/a.ts', [...came, ...own, ...waited]]])
  const [one, nobody] = ['001-plan-one', undefined]
  expect(await namesOf(lab, 'src/a.ts')).toEqual([
    ...[one, nobody, one],
    ...own.map(() => nobody),
    ...waited.map(() => one),
    nobody,
  ])
})

test('an edit in the second of its commit and of the next one counts, though a person has changed as many of its lines', async () => {
  const lab = await workspaceLab()
  const [own, come] = [calls('a', 3), calls('b', 4)]
  put(lab, 'src/a.ts', own)
  commit(lab, 0)
  const became = [...own, ...come.slice(0, 2), ...come.slice(2).map((line) => `  ${line}`)]
  put(lab, 'src/a.ts', became)
  commit(lab, 2)
  put(lab, 'src/a.ts', [...became, '// by hand'])
  commit(lab, 2)
  conversation(lab, '001-plan-one', [[2 + 0.3 / 60, 'src/a.ts', [...own, ...come]]])
  const names = ['001-plan-one', '001-plan-one', undefined, undefined]
  expect(await namesOf(lab, 'src/a.ts')).toEqual([...own.map(() => undefined), ...names, undefined])
})

test('a line that was indented as another one of its kind was until then is not taken for that one, a moved one is', async () => {
  const lab = await workspaceLab()
  const twin = 'const twin = callOf(several, words)'
  const block = [...calls('b', 2), `  ${twin}`]
  const far = calls('a', 4)
  put(lab, 'src/a.ts', [`    ${twin}`, ...far])
  commit(lab, 0)
  put(lab, 'src/a.ts', [`    ${twin}`, ...far, ...block])
  commit(lab, 2)
  conversation(lab, '001-plan-one', [[1, 'src/a.ts', [`    ${twin}`, ...far, ...block]]])
  put(lab, 'src/a.ts', [`  ${twin}`, ...far, ...calls('b', 2), `\t${twin}`])
  commit(lab, 4)
  const nobody = far.map(() => undefined)
  const names = ['001-plan-one', '001-plan-one']
  expect(await namesOf(lab, 'src/a.ts')).toEqual([undefined, ...nobody, ...names, undefined])
  put(lab, 'src/a.ts', [...calls('b', 2), `  ${twin}`, ...far, `\t${twin}`])
  commit(lab, 6)
  expect(await namesOf(lab, 'src/a.ts')).toEqual([...names, undefined, ...nobody, undefined])
})
