/**
 * This file is part of the hook bundle: it imports nothing at its beginning.
 */

/**
 * Starts this program once more, with other arguments, and does not wait for it. It goes on when this process ends.
 * Returns its process.
 */
export function startAgain(args: readonly string[], cwd: string): import('node:child_process').ChildProcess {
  // Few hooks start a process, so this module is loaded only here.
  const { spawn } = process.getBuiltinModule('node:child_process')
  const started = spawn(process.execPath, [process.argv[1]!, ...args], {
    cwd,
    detached: true,
    stdio: 'ignore',
    // Otherwise Windows opens a window for it.
    windowsHide: true,
  })
  // It can be tried again later.
  started.on('error', () => {}).unref()
  return started
}
