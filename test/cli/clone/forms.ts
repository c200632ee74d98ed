import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** What a stranger can put in the place of a file or folder of a workspace; `folder` holds project, home and mirror. */
export type Form = (folder: string, path: string) => void

export const FILE_FORMS: Record<string, Form> = {
  'a link to a file of its format': (folder, path) => link(folder, path, join(folder, 'mirror', path)),
  'a relative link': (folder, path) => {
    const place = join(folder, 'project', path)
    link(folder, path, relative(dirname(place), join(folder, 'mirror', path)))
  },
  "a link to a file of the person's": (folder, path) => link(folder, path, join(folder, 'home/.profile')),
  'a link to nothing': (folder, path) => link(folder, path, join(folder, 'outside/new')),
  'a pipe': (folder, path) => execFileSync('mkfifo', [cleared(folder, path)]),
  'a folder': (folder, path) => {
    const place = cleared(folder, path)
    mkdirSync(place)
    writeFileSync(join(place, 'x'), 'x')
  },
  'too large': (folder, path) => {
    const place = cleared(folder, path)
    writeFileSync(place, '')
    truncateSync(place, (/\.jsonl$|attachments/.test(path) ? 300 : 20) * 1024 * 1024)
  },
  'names that are ways out': (folder, path) => {
    const file = join(folder, 'project', path)
    const text = readFileSync(file, 'utf8')
    const more = path.endsWith('.jsonl')
      ? WAYS.flatMap((way) => lines(way)).join('\n')
      : '{{id}} $ARGUMENTS ../../../../home/.profile !{cat /etc/passwd} @../x'
    writeFileSync(file, `${text}\n${more}\n`)
  },
  'nothing but brackets': (folder, path) =>
    writeFileSync(join(folder, 'project', path), `{"a":${'['.repeat(200_000)}`),
  'deep JSON': (folder, path) =>
    writeFileSync(
      join(folder, 'project', path),
      `{"deep":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)},"__proto__":{"x":1},"constructor":{"y":1}}\n`,
    ),
}

export const FOLDER_FORMS: Record<string, Form> = {
  'a link to a folder of its kind': (folder, path) => link(folder, path, join(folder, 'mirror', path)),
  "a link to a folder of the person's": (folder, path) => link(folder, path, join(folder, 'home/.claude')),
  'a link to an empty folder': (folder, path) => link(folder, path, join(folder, 'outside/empty')),
  'a pipe': FILE_FORMS['a pipe']!,
  'a file': (folder, path) => writeFileSync(cleared(folder, path), 'x'),
}

function link(folder: string, path: string, to: string): void {
  symlinkSync(to, cleared(folder, path))
}

function cleared(folder: string, path: string): string {
  const place = join(folder, 'project', path)
  rmSync(place, { recursive: true, force: true })
  return place
}

const WAYS = [
  '../../../../home/.profile',
  '/etc/passwd',
  '../home',
  '.git/hooks/pre-commit',
  'a\nb',
  'C:\\x',
  '',
]

/** Forms of a JSON file: one of these wherever it holds a name. */
export const JSON_FORMS: Record<string, Form> = Object.fromEntries(
  WAYS.map((way): [string, Form] => [
    `one with ${JSON.stringify(way)} for every name`,
    (folder, path) => {
      const file = join(folder, 'project', path)
      const value = JSON.parse(readFileSync(file, 'utf8'))
      const crafted = CRAFTED[basename(path)]?.(folder, value, way) ?? { ...value, [way]: way, path: way }
      writeFileSync(file, JSON.stringify(crafted))
    },
  ]),
)

type Fields = Record<string, object>

const CRAFTED: Record<string, (folder: string, value: Fields, way: string) => object> = {
  'session.json': (_, value, way) => ({
    ...value,
    conversation_id: way,
    conversation_type: way,
    title: way,
    parent: way,
    key: way,
    forked_from: { path: way, message_id: way },
    repository: { head: `--output=${way}`, branch: way, dirty: false },
    agent_config: { client: 'claude', command: `/${way}`, system_prompt_hash: `sha256:${way}`, tools: [way] },
    agent_sessions: [
      { client: 'claude', native_id: way, started_at: way, last_active: way, message_count: 1 },
      { client: way, native_id: way, started_at: way, last_active: way, message_count: 1 },
    ],
  }),
  'registry.json': (_, value, way) => ({
    types: {
      ...value.types,
      plan: { ...(value.types as Fields).plan, folder: way, template: way, command: `/${way}` },
    },
  }),
  'config.json': (_, value, way) => ({ ...value, client: way, windows: { [way]: 1 } }),
  'settings.json': (_, value, way) => ({ ...value, hooks: { [way]: way }, permissions: way }),
}

function lines(way: string): string[] {
  const base = { role: 'user', content: 'x', timestamp: '2026-01-01T00:00:00Z' }
  const call = { id: way, name: 'Read', arguments: { file_path: way } }
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
  return [
    {
      ...base,
      id: `a${way}`,
      event: 'pruned',
      role: 'system',
      archive: `archive/${way}`,
      places: [[0, 9e15]],
    },
    { ...base, id: `b${way}`, event: 'pruned', role: 'system', archive: way, places: [] },
    { ...base, id: `c${way}`, role: 'assistant', tool_calls: [call] },
    { ...base, id: `d${way}`, role: 'tool', tool_call_id: way, truncated: { bytes: 1, sha256: way } },
    { ...base, id: `e${way}`, attachments: [{ media_type: 'x', sha256: way, bytes: 1, name: way }] },
  ]
    .map((line) => JSON.stringify(line))
    .concat(JSON.stringify({ ...base, id: `f${way}`, more: 'deep' }).replace('"deep"', deep))
}
