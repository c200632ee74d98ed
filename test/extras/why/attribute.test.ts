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

/** Records a conversation that writes whole files: the minute, the path and the lines of each call. */
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

test('lines name nobody when git does not see the rename, because most of the file changed in the same commit', async () => {
  const lab = await workspaceLab()
  const [hand, first, second] = [['// by hand'], calls('a', 4), calls('b', 8)]
  put(lab, 'src/old.ts', hand)
  commit(lab, 0)
  put(lab, 'src/old.ts', [...hand, ...first])
  commit(lab, 2)
  rmSync(join(lab.root, 'src/old.ts'))
  put(lab, 'src/new.ts', [...hand, ...first, ...second, '// mine'])
  commit(lab, 4)
  conversation(lab, '001-plan-one', [[1, 'src/old.ts', [...hand, ...first]]])
  conversation(lab, '002-plan-two', [[3, 'src/old.ts', [...hand, ...first, ...second]]])
  expect(lab.git('log', '--format=', '--name-status', '-M', 'HEAD~1..')).not.toMatch(/^R/m)
  expect(new Set(await namesOf(lab, 'src/new.ts'))).toEqual(new Set([undefined]))
})

test('a new file does not inherit the names of a removed file that had some of its lines', async () => {
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

test('a line names nobody when it was gone at a later read and was typed again', async () => {
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

test('a line names nobody when its edit was before another committed change of the file', async () => {
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
    ...waited.map(() => nobody),
    nobody,
  ])
})

test('an edit in the same second as its commit and the next one names its lines, though a person changed others', async () => {
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

test('a line names nobody after a person has moved or indented it', async () => {
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
  expect(new Set(await namesOf(lab, 'src/a.ts'))).toEqual(new Set([undefined]))
})

test('an empty line that a person put into a block names nobody, though git takes it for the one of the block', async () => {
  const lab = await workspaceLab()
  const [own, [first, last]] = [calls('a', 3), calls('b', 2)]
  put(lab, 'src/a.ts', own)
  commit(lab, 0)
  put(lab, 'src/a.ts', [...own, first!, '', last!])
  commit(lab, 2)
  conversation(lab, '001-plan-one', [[1, 'src/a.ts', [...own, first!, '', last!]]])
  const nobody = own.map(() => undefined)
  expect(await namesOf(lab, 'src/a.ts')).toEqual([...nobody, ...Array(3).fill('001-plan-one')])
  put(lab, 'src/a.ts', [...own, first!, '', '// by hand', '', last!])
  commit(lab, 4)
  expect(await namesOf(lab, 'src/a.ts')).toEqual([
    ...nobody,
    '001-plan-one',
    ...[undefined, undefined, undefined],
    '001-plan-one',
  ])
})
