import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { posix, win32 } from 'node:path'
import { CortextError } from '../errors.ts'
import { readText } from './regular-file.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * The absolute path of a program that is on PATH and that this user may run; undefined when there is none. A relative
 * folder on PATH is passed over: it would lead into the working folder, which may be a clone. On Windows the endings are
 * those of PATHEXT that Windows itself can start.
 */
export function findProgram(name: string, env: Env, platform = process.platform): string | undefined {
  const { delimiter, isAbsolute, join } = platform === 'win32' ? win32 : posix
  const folders = (variable('PATH', env, platform) ?? '')
    .split(delimiter)
    .map((folder) => (platform === 'win32' ? folder.replaceAll('"', '') : folder))
  const endings = platform === 'win32' ? endingsOf(name, env) : ['']
  for (const folder of folders.filter((one) => isAbsolute(one)))
    for (const ending of endings)
      if (isProgram(join(folder, name + ending))) return join(folder, name + ending)
  return undefined
}

/** Without an ending, npm puts a script for sh beside `name.cmd`, which Windows cannot start. */
function endingsOf(name: string, env: Env): string[] {
  if (STARTABLE.includes(win32.extname(name).toLowerCase())) return ['']
  const listed = (variable('PATHEXT', env, 'win32') ?? '').toLowerCase().split(';')
  const endings = listed.filter((ending) => STARTABLE.includes(ending))
  return endings.length > 0 ? endings : STARTABLE
}

const STARTABLE = ['.com', '.exe', '.bat', '.cmd']

/** Windows often writes `Path`, and only node's own `process.env` finds a variable by any spelling. */
function variable(name: string, env: Env, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32' || env[name] !== undefined) return env[name]
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1]
}

/** Whether the path leads to a file that this user may run. */
export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    // There is no such file, or this user may not run it.
    return false
  }
}

/** What `spawn` takes: the file, its arguments, and whether node must pass these on as they are (Windows). */
export interface Command {
  file: string
  args: string[]
  verbatim: boolean
}

/**
 * How `spawn` starts a program that `findProgram` has found, without a shell that reads the arguments.
 *
 * On Windows only `cmd.exe` runs a batch file, and node refuses to start one (EINVAL). The batch files that npm and pnpm
 * make for a package only name a program. It is started in their place, so each argument arrives as it is, and Ctrl-C
 * does not ask "Terminate batch job (Y/N)?". Another batch file gets its arguments in quotes. No quoting keeps a line
 * break, a quote or a variable from `cmd.exe`: with these, this throws `client-failed`.
 */
export function commandFor(path: string, args: readonly string[], env: Env): Command {
  if (!/\.(cmd|bat)$/i.test(path)) return { file: path, args: [...args], verbatim: false }
  const target = shimTarget(path, env)
  if (target !== undefined) return { ...target, args: [...target.args, ...args], verbatim: false }
  const words = [path, ...args]
  if (words.some((word) => /["%!\r\n]/.test(word)))
    throw new CortextError(
      'client-failed',
      `${path} is a batch file, which cannot be given these arguments`,
      {
        fix: 'put the folder of the program itself on PATH, before the batch file',
      },
    )
  const line = words.map((word) => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ')
  const file = variable('COMSPEC', env, 'win32') ?? 'C:\\Windows\\System32\\cmd.exe'
  return { file, args: ['/d', '/s', '/c', `"${line}"`], verbatim: true }
}

/** The same for a program that is named as on a command line. */
export function commandNamed(name: string, args: readonly string[], env: Env): Command {
  return commandFor(pathOf(name, env), args, env)
}

/**
 * The path of a program that is named as on a command line. On Windows, the file of a program that is not on PATH does
 * not exist: the system would look for a bare name in the working folder first, which may be a clone.
 */
export function pathOf(name: string, env: Env): string {
  return findProgram(name, env) ?? (process.platform === 'win32' ? win32.join(process.execPath, name) : name)
}

/** What the batch file of a package starts: `"%dp0%\node_modules\a\b.js" %*` (npm), `"%~dp0\…" %*` (pnpm). */
const SHIM_LINE = /^(.*?)"%(?:dp0%|~dp0)\\?([^"%]+\.(?:[cm]?js|exe))"\s+%\*\s*$/gim

function shimTarget(path: string, env: Env): { file: string; args: string[] } | undefined {
  const [, before = '', target = ''] = [...(readText(path, MAX_SHIM) ?? '').matchAll(SHIM_LINE)].at(-1) ?? []
  if (target === '') return undefined
  const folder = win32.dirname(path)
  const program = win32.join(folder, target)
  if (/\.exe$/i.test(program)) return { file: program, args: [] }
  const options = before.match(/(?<=\s)--[\w-]+(=[\w.,:-]+)?(?=\s)/g) ?? []
  const beside = win32.join(folder, 'node.exe')
  const node = existsSync(beside) ? beside : (findProgram('node', env, 'win32') ?? process.execPath)
  return { file: node, args: [...options, program] }
}

const MAX_SHIM = 64 * 1024
