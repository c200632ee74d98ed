import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { settingOf } from '../shared/setup/settings-files.ts'

/** Qwen Code's own folder, `~/.qwen`. */
export function ownFolder(environment: Environment): string {
  const given = environment.env.QWEN_HOME
  return given ? absolute(environment, given, environment.cwd) : join(environment.home, '.qwen')
}

/** The settings files in order of precedence: the project's, then the person's. */
export function settingsFiles(environment: Environment, folder: string): string[] {
  return [projectSettings(folder), join(ownFolder(environment), 'settings.json')]
}

/**
 * The folder with the sessions of all projects, as Qwen Code chooses it (0.24.4): by a variable, by the settings of the
 * project or the person, or below its own folder.
 */
export function projectsFolder(environment: Environment, folder: string): string {
  const variable = environment.env.QWEN_RUNTIME_DIR
  if (variable) return join(absolute(environment, variable, folder), 'projects')
  const set = settingOf(settingsFiles(environment, folder), 'advanced.runtimeOutputDir')?.value
  const base =
    typeof set === 'string' && set !== '' ? absolute(environment, set, folder) : ownFolder(environment)
  return join(base, 'projects')
}

/** The settings file of a project if it chooses the folder of the sessions. */
export function runtimeDirOfProject(project: string): string | undefined {
  const file = projectSettings(project)
  return settingOf([file], 'advanced.runtimeOutputDir') === undefined ? undefined : file
}

const projectSettings = (project: string) => join(project, '.qwen', 'settings.json')

function absolute(environment: Environment, path: string, base: string): string {
  return resolve(base, path.replace(/^~(?=$|[/\\])/, environment.home || homedir()))
}
