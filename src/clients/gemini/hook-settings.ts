import { isDeepStrictEqual } from 'node:util'
import type { RenderedFile } from '../contract/pack.ts'
import { AGENT_CALL } from '../shared/setup/allowed-calls.ts'
import { notesIn, type OurHooks, personalHooks, projectHooks } from '../shared/setup/hook-entries.ts'
import { isObject } from '../shared/transcript/fields.ts'

type Settings = Record<string, unknown>

/** This note says that we turned off the client's own deletion of sessions. */
const RETENTION_NOTE = 'sessionRetention is ours'
const RETENTION_OFF = { enabled: false }

/**
 * Once `policyPaths` is set, the client ignores the person's own policy folder (0.61.0). So we list that folder too. It
 * comes before our file, so the person's rules take precedence. The client expands `~`.
 */
const THEIR_POLICIES = '~/.gemini/policies'

/** These notes say what `policyPaths` was before we changed it. */
const NO_PATHS_NOTE = 'policyPaths is ours'
const EMPTY_PATHS_NOTE = 'policyPaths was []'

/**
 * The client gives these lines to bash, on Windows to PowerShell; they mean the same in both. A hook that exits with 2 or
 * more, such as 127 for a missing program, would block every prompt. So they exit 0.
 *
 * The client shows what a hook writes to stderr, such as `cortext: command not found`. It shall say so once a session, so
 * all hooks but SessionStart throw it away. `$null` is PowerShell's name for nowhere; for bash `env` sets it.
 */
const LINE = 'cortext hook gemini; exit 0'
const QUIET = { command: 'cortext hook gemini 2>$null; exit 0', env: { null: '/dev/null' } }

/** The settings file. In Gemini CLI a project has no settings file that belongs only to one person. */
export const SETTINGS_FILE = '.gemini/settings.json'

const HOOKS: OurHooks = {
  client: 'gemini',
  name: 'Gemini CLI',
  file: SETTINGS_FILE,
  // The client shows the name while a hook runs. The timeout is in milliseconds. A client in a terminal runs the
  // SessionEnd hook three times, one after the other, and waits for each (0.61.0).
  hooks: {
    SessionStart: { name: 'cortext', command: LINE, timeout: 20_000 },
    BeforeAgent: { name: 'cortext', ...QUIET, timeout: 20_000 },
    AfterAgent: { name: 'cortext', ...QUIET, timeout: 20_000 },
    SessionEnd: { name: 'cortext', ...QUIET, timeout: 5_000 },
  },
}

const ours = projectHooks(HOOKS)

/**
 * Adds our hooks, and turns off the client's own deletion of sessions. Otherwise a resume in another minute than the
 * one in the file's name creates a second file of the session. The client would delete both files at its next start
 * (0.61.0). A person's own setting for this deletion stays. Throws `refused`.
 */
export function addHooks(settings: Settings): Settings {
  const bare = removeHooks(settings)
  const general = isObject(bare.general) ? bare.general : {}
  const turnsRetentionOff =
    general.sessionRetention === undefined && (bare.general === undefined || isObject(bare.general))
  const { paths, notes } = withPolicy(bare.policyPaths)
  return {
    ...ours.add(bare, [...(turnsRetentionOff ? [RETENTION_NOTE] : []), ...notes]),
    ...(turnsRetentionOff ? { general: { ...general, sessionRetention: RETENTION_OFF } } : {}),
    ...(paths === undefined ? {} : { policyPaths: paths }),
  }
}

/**
 * Adds our hooks to the person's own settings. There the client's deletion of sessions concerns all folders, so it stays
 * as the person has it.
 */
export const addPersonalHooks = personalHooks(HOOKS, '~/.gemini/settings.json').add

/**
 * The list of policies with ours in it, and the notes about what the list was before. A value that is not a list stays
 * as it is. The client then asks about our calls.
 */
function withPolicy(paths: unknown): { paths?: unknown[]; notes: string[] } {
  if (paths === undefined) return { paths: [THEIR_POLICIES, POLICY], notes: [NO_PATHS_NOTE] }
  if (!Array.isArray(paths)) return { notes: [] }
  if (paths.length === 0) return { paths: [THEIR_POLICIES, POLICY], notes: [EMPTY_PATHS_NOTE] }
  return { paths: [...paths, POLICY], notes: [] }
}

/** Removes our entries, and the lists and objects that become empty. */
export function removeHooks(settings: Settings): Settings {
  const notes = notesIn(settings, HOOKS.client)
  const bare = withoutPolicy(ours.remove(settings), notes)
  return notes.includes(RETENTION_NOTE) ? withoutRetention(bare) : bare
}

/**
 * Removes our policy. Also removes the person's policy folder from the list, if we added it and nothing else is left.
 * Older versions of cortext added only our policy. Paths that the person has added stay.
 */
function withoutPolicy(settings: Settings, notes: readonly unknown[]): Settings {
  const { policyPaths, ...rest } = settings
  if (!Array.isArray(policyPaths) || !policyPaths.includes(POLICY)) return settings
  const left = policyPaths.filter((path) => path !== POLICY)
  if (notes.includes(EMPTY_PATHS_NOTE) && isDeepStrictEqual(left, [THEIR_POLICIES]))
    return { ...settings, policyPaths: [] }
  const isEmptyNow =
    left.length === 0 || (notes.includes(NO_PATHS_NOTE) && isDeepStrictEqual(left, [THEIR_POLICIES]))
  return isEmptyNow ? rest : { ...settings, policyPaths: left }
}

function withoutRetention(settings: Settings): Settings {
  const { general, ...rest } = settings
  if (!isObject(general) || !isDeepStrictEqual(general.sessionRetention, RETENTION_OFF)) return settings
  const { sessionRetention: _, ...others } = general
  return Object.keys(others).length === 0 ? rest : { ...settings, general: others }
}

export const POLICY = '.gemini/cortext-policy.toml'

/**
 * The policy file with the calls that an agent may make without asking (0.61.0). The client matches a pattern against
 * all arguments of a tool call, as JSON with sorted keys. It puts NUL around each pair of the top level. No value can
 * contain NUL. So our pattern requires the command as the first pair. After it the pattern allows only pairs that do
 * not change how or where the command runs. The client asks about any other call.
 */
export function policyFile(): RenderedFile {
  const rules = PLAIN.map((words) => rule(`argsPattern = '''${call(words)}'''`))
  return {
    path: POLICY,
    content: `# Made by cortext: what an agent may run without asking.\n\n${rules.join('\n')}`,
  }
}

/** Every rule of the person has precedence: ours have the lowest priority, and are read last. */
function rule(pattern: string): string {
  const head = ['[[rule]]', 'toolName = "run_shell_command"']
  return [...head, pattern, 'decision = "allow"', 'priority = 0', ''].join('\n')
}

/** The pattern for all arguments of the tool call. `command` is the part of it that matches the command. */
function call(command: string): string {
  const others = '(?!description":|wait_for_previous":)'
  return `^\\x7b\\x00"command":"${command}"\\x00(?![^]*\\x00"${others})`
}

/**
 * Characters that the shell takes as they are. The client does not accept a repetition of a repetition. It looks for
 * one by the characters of the pattern, also inside a class. So this class names some characters by number: `( ) { } *
 * ? $ ~` and the backtick.
 */
const BARE = '[^\\x00"\'\\\\<>|&;!#\\[\\]\\x28\\x29\\x7b\\x7d\\x2a\\x3f\\x24\\x7e\\x60]*'

/** Calls with bare words. The last argument may be quoted, and then contains nothing that the shell would expand. */
const PLAIN = [
  `${AGENT_CALL} ${BARE}`,
  `${AGENT_CALL} ${BARE} '[^'\\x00]*'`,
  `${AGENT_CALL} ${BARE} \\\\"[^"\\\\\\x00\\x21\\x24\\x60]*\\\\"`,
]
