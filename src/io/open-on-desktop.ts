import { spawn } from 'node:child_process'
import { findProgram } from './program.ts'

type Env = Readonly<Record<string, string | undefined>>

/**
 * Opens a file with the desktop's program for it, and does not wait until that program ends. False when this machine
 * has no desktop, or no program that opens files. No shell sees the path.
 */
export async function openFile(path: string, env: Env): Promise<boolean> {
  const opener = openerIn(env, process.platform)
  if (opener === undefined) return false
  const [program, ...args] = opener
  return new Promise((resolve) => {
    const child = spawn(program, [...args, path], { env, detached: true, stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}

/** The program that opens files, with its first arguments; undefined when there is none. */
export function openerIn(env: Env, platform: NodeJS.Platform): [string, ...string[]] | undefined {
  if (platform === 'win32') {
    const program = findProgram('rundll32', env, platform)
    return program === undefined ? undefined : [program, 'url.dll,FileProtocolHandler']
  }
  const hasDesktop =
    platform === 'darwin' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME)
  const names =
    platform === 'darwin' ? ['open'] : env.WSL_DISTRO_NAME ? ['wslview', 'xdg-open'] : ['xdg-open']
  const program = hasDesktop ? names.map((name) => findProgram(name, env, platform)).find(Boolean) : undefined
  return program === undefined ? undefined : [program]
}
