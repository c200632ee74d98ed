import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LONG } from '../../helpers/long.ts'
import { FILE_FORMS, FOLDER_FORMS, type Form, JSON_FORMS } from './forms.ts'
import {
  broughtBy,
  CANARY,
  copyOf,
  filesWithCanary,
  ID,
  makeBase,
  outsideOf,
  remove,
  Verbs,
} from './world.ts'

/** Those that only look come first; those that take away come last. */
const VERBS = [
  ['list', '--all'],
  ['list', '--all', '--json'],
  [],
  ['search', 'turn'],
  ['show', ID, '--messages'],
  ['show', ID, '--messages', '--json'],
  ['context', ID],
  ['context', ID, '--compare'],
  ['export', ID],
  ['export', ID, '--format', 'json'],
  ['export', ID, '--format', 'atif'],
  ['export', ID, '--format', 'hf', '--from', '1', '--to', '2'],
  ['export', ID, '--for', 'pr'],
  ['stats'],
  ['view', ID],
  ['view', '--all', '-o', 'site'],
  ['resume', '--list'],
  ['resume', ID, '--print', '--in', 'claude'],
  ['resume', ID, '--dry-run', '--in', 'opencode'],
  ['doctor'],
  ['start', 'plan', 'A plan'],
  ['library-append'],
  ['save', ID],
  ['edit', ID, '--title', 'New', '--tag', 'x'],
  ['prune', ID, '--keep', '1', '--yes'],
  ['prune', ID, '--restore'],
  ['fork', ID],
  ['stop', ID, '--summary', 'so far'],
  ['import', 'claude', '--all'],
  ['init', '--shared'],
  ['init', '--add-type', 'mine'],
  ['doctor', '--fix'],
  ['init', '--private'],
  ['delete', ID, '--yes'],
  ['uninstall'],
]

interface Case {
  path: string
  form: string
  plant: Form
  /** Whether this machine knows the workspace from before: a pull brought what is hostile, not a clone. */
  known: boolean
}

const SEED = Number(process.env.CORTEXT_FUZZ_SEED || Math.floor(Math.random() * 1e9))
/** How many cases are run where not all are. */
const SAMPLE = Number(process.env.CORTEXT_FUZZ_SAMPLE || 14)

let base: string
let verbs: Verbs
beforeAll(async () => {
  base = await makeBase()
  verbs = await Verbs.builtIn(base)
})
afterAll(() => {
  verbs?.close()
  if (base !== undefined) remove(base)
})

// promise: The files of a cloned workspace are data
// promise: Every file passes one check
// promise: have a file outside
test(
  'whatever a clone has in place of any file: nothing outside is changed or read, and no verb hangs or breaks',
  async () => {
    const harm: string[] = []
    for (const one of chosen(allCases())) harm.push(...(await harmOf(one)))
    expect(harm, `CORTEXT_FUZZ_SEED=${SEED} repeats it`).toEqual([])
  },
  LONG ? 3_600_000 : 900_000,
)

async function harmOf({ path, form, plant, known }: Case): Promise<string[]> {
  const world = copyOf(base)
  const { folder, root } = world
  const what = `${path} as ${form}${known ? ', known here' : ''}`
  try {
    plant(folder, path)
    if (!known) rmSync(join(root, '.git/cortext'), { recursive: true })
    const before = outsideOf(folder)
    const harm: string[] = []
    for (const args of VERBS) {
      const told = await verbs.run(world, args)
      const note = (problem: string) => harm.push(`${what}: cortext ${args.join(' ')}: ${problem}`)
      const said = told === 'hangs' ? '' : told.stdout + told.stderr
      if (told === 'hangs') note('hangs')
      else if (told.code === 70) note(`a bug: ${said.slice(-600)}`)
      else if (said.includes(CANARY)) note('told what lies outside')
    }
    const after = outsideOf(folder)
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    harm.push(...changed.filter((one) => before[one] !== after[one]).map((one) => `${what}: changed ${one}`))
    harm.push(...filesWithCanary(root).map((one) => `${what}: holds what lies outside: ${one}`))
    return harm
  } finally {
    remove(folder)
  }
}

function allCases(): Case[] {
  const { files, folders } = broughtBy(join(base, 'project'))
  const cases = (paths: string[], forms: Record<string, Form>) =>
    paths.flatMap((path) => Object.entries(forms).map(([form, plant]) => ({ path, form, plant })))
  const all = [
    ...cases(ofEachKind(files), FILE_FORMS),
    ...cases(
      ofEachKind(files).filter((path) => path.endsWith('.json')),
      JSON_FORMS,
    ),
    ...cases(ofEachKind(folders), FOLDER_FORMS),
  ]
  return all.filter(gitGoesOn).flatMap((one) => [
    { ...one, known: false },
    { ...one, known: true },
  ])
}

/** Git itself waits for a pipe in the place of its own files, whoever calls it; and it brings no pipes. */
function gitGoesOn({ path, form }: Pick<Case, 'path' | 'form'>): boolean {
  return !(form === 'a pipe' && /^\.git(ignore|attributes)$/.test(path))
}

/** One command of each client stands for all of them, and the first conversation for the others. */
function ofEachKind(paths: string[]): string[] {
  return paths.filter(
    (path) =>
      !/workspace\.(?!plan\b|brainstorm\b)|templates\/(?!plan|registry)/.test(path) &&
      !/conversations\/[^/]+\/002/.test(path),
  )
}

/** A sample, in an order of the seed: every path once, and then again. */
function chosen(cases: Case[]): Case[] {
  if (LONG) return cases
  const random = randomOf(SEED)
  const mixed = cases
    .map((one) => [random(), one] as const)
    .sort(([a], [b]) => a - b)
    .map(([, one]) => one)
  const isFirst = ({ path }: Case, place: number) => mixed.findIndex((one) => one.path === path) === place
  return [...mixed.filter(isFirst), ...mixed.filter((one, place) => !isFirst(one, place))].slice(0, SAMPLE)
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
