import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Environment } from '../../io/environment.ts'
import { settingOf } from '../shared/setup/settings-files.ts'

/** Pi's own folder, `~/.pi/agent`. */
export function ownFolder(environment: Environment): string {
  const given = environment.env.PI_CODING_AGENT_DIR
  return given ? absolute(environment, given, environment.cwd) : join(environment.home, '.pi', 'agent')
}

/**
 * The folder with the sessions of a project, as Pi chooses it (1.5.2): by a variable, by the settings of the project
 * or the person, or below its own folder. The name there is lossy (`a/b` and `a-b` share it), and a folder that a
 * setting names contains the sessions of all projects. So the first line of a session says where it was held.
 */
export function sessionsFolder(environment: Environment, project: string): string {
  const variable = environment.env.PI_CODING_AGENT_SESSION_DIR
  if (variable) return absolute(environment, variable, project)
  const files = [projectSettings(project), join(ownFolder(environment), 'settings.json')]
  const set = settingOf(files, 'sessionDir')?.value
  if (typeof set === 'string' && set !== '') return absolute(environment, set, project)
  const name = project.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')
  return join(ownFolder(environment), 'sessions', `--${name}--`)
}

/** The settings file of a project if it chooses the folder of the sessions. */
export function sessionDirOfProject(project: string): string | undefined {
  const file = projectSettings(project)
  return settingOf([file], 'sessionDir') === undefined ? undefined : file
}

const projectSettings = (project: string) => join(project, '.pi', 'settings.json')

function absolute(environment: Environment, path: string, base: string): string {
  return resolve(base, path.replace(/^~(?=$|[/\\])/, environment.home || homedir()))
}
