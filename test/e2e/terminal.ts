import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { attachTo } from './tmux.ts'

/** A program in a real terminal of its own, driven the way a person would. */
export interface Terminal {
  /** Types text, character for character; Enter is a key of its own. */
  type(text: string): void
  /** tmux's names: `Enter`, `Escape`, `C-c`, `Up`. */
  press(...keys: string[]): void
  /** Presses a key until `what` is true of the screen, at most every 2 s: a new question may pass by the first keys. */
  pressUntil(key: string, what: Shown): Promise<void>
  /** Types text, waits until the program shows the end of it, and `after` ms later presses Enter. */
  submit(text: string, options?: { after?: number }): Promise<void>
  /** What can be seen now. */
  screen(): string
  /** What has scrolled away and what can be seen now, with escape sequences for what stands out. */
  coloured(): string
  /** What has scrolled away, and what can be seen now. */
  history(): string
  /** The same with each line that the terminal has wrapped in one. */
  joined(): string
  /** The screen on which it appeared first; fails with the last screen. `timeout` in ms, default 30 s. */
  waitFor(what: Shown, options?: Wait): Promise<string>
  /** The program's exit code, or 128 and the number of the signal; fails with the last screen. */
  waitForExit(options?: Wait): Promise<number>
  /** Of the program itself. */
  pid(): number
  kill(signal: NodeJS.Signals): void
  /** The person closes the window: the program gets SIGHUP and has no terminal any more. Returns once it has ended. */
  hangUp(): Promise<void>
  /** Kills the program, if it still runs, and ends its terminal. */
  close(): void
}

type Shown = string | RegExp | ((screen: string) => boolean)

interface Wait {
  timeout?: number
  /** ms between two looks. */
  every?: number
}

/**
 * Starts `script`, a shell script that execs the program, in a tmux server of its own. `server` names it and must be
 * unused. The screen outlives the program, so that what it said last can be read.
 */
export function openTerminal(server: string, script: string, size: { cols: number; rows: number }): Terminal {
  const tmux = (...args: string[]) => execFileSync('tmux', ['-L', server, ...args], { encoding: 'utf8' })
  const ask = (format: string) => tmux('display-message', '-p', format).trim()
  const { cols, rows } = size
  let closed = false
  tmux(
    ...['-f', '/dev/null', 'start-server', ';', 'set-option', '-g', 'remain-on-exit', 'on', ';'],
    ...['set-option', '-g', 'history-limit', '50000', ';'],
    ...['new-session', '-d', '-x', String(cols), '-y', String(rows), 'sh', script],
  )
  const attached = attachTo(server)
  const look = () => attached.ask('capture-pane -p')

  const terminal: Terminal = {
    type: (text) => void tmux('send-keys', '-l', '--', text),
    press: (...keys) => void tmux('send-keys', ...keys),
    async pressUntil(key, what) {
      for (let tries = 0; tries < 10; tries++) {
        terminal.press(key)
        if (await terminal.waitFor(what, { timeout: 2_000 }).catch(() => undefined)) return
      }
      await terminal.waitFor(what)
    },
    async submit(text, { after = 0 } = {}) {
      const end = squeezed(text).slice(-12)
      const shown = (screen: string) => squeezed(screen).includes(end)
      terminal.type(text)
      // A client that has shown its prompt can still lose what is typed while it starts, or a part of it.
      await terminal.waitFor(shown, { timeout: 10_000 }).catch(() => {
        terminal.press('C-u')
        terminal.type(text)
        return terminal.waitFor(shown)
      })
      await sleep(after)
      terminal.press('Enter')
    },
    screen: () => tmux('capture-pane', '-p'),
    coloured: () => tmux('capture-pane', '-e', '-p', '-S', '-'),
    history: () => tmux('capture-pane', '-p', '-S', '-'),
    joined: () => tmux('capture-pane', '-J', '-p', '-S', '-').replace(/ +$/gm, ''),
    waitFor: (what, wait) =>
      poll(wait, look, String(what), async (screen) =>
        typeof what === 'function' ? what(screen) : seen(screen, what) ? true : undefined,
      ).then(({ screen }) => screen),
    waitForExit: (wait) =>
      poll(wait, look, 'the end of the program', async () => {
        const state = await attached.ask(`display-message -p '${END}'`)
        const [dead, status, signal] = state.trim().split(',')
        if (status) return Number(status)
        if (signal) return 128 + Number(signal)
        // tmux 3.3a can miss that its child has ended, and leaves a zombie until it is told again.
        if (dead === '1') process.kill(Number(ask('#{pid}')), 'SIGCHLD')
        return undefined
      }).then(({ found }) => found),
    pid: () => Number(ask('#{pane_pid}')),
    kill: (signal) => void process.kill(terminal.pid(), signal),
    async hangUp() {
      const pid = terminal.pid()
      closed = true
      attached.close()
      tmux('kill-server')
      for (const end = Date.now() + 30_000; isRunning(pid); await sleep(50))
        if (Date.now() > end) throw new Error(`${pid} goes on without its terminal`)
    },
    close() {
      if (closed) return
      closed = true
      // Its own farewell would write into a folder that is about to be removed.
      if (ask('#{pane_dead}') !== '1') terminal.kill('SIGKILL')
      attached.close()
      tmux('kill-server')
    },
  }
  return terminal
}

/** What tmux knows of a program that has ended. */
const END = '#{pane_dead},#{pane_dead_status},#{pane_dead_signal}'

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

function seen(screen: string, what: string | RegExp): boolean {
  return typeof what === 'string' ? screen.includes(what) : what.test(screen)
}

/** Without white space: programs wrap lines and draw boxes. */
function squeezed(value: string): string {
  return value.replace(/\s/g, '')
}

async function poll<T>(
  { timeout = 30_000, every = 50 }: Wait = {},
  look: () => Promise<string>,
  what: string,
  test: (screen: string) => Promise<T | undefined | false>,
): Promise<{ screen: string; found: T }> {
  const end = Date.now() + timeout
  for (;;) {
    const screen = await look()
    const found = await test(screen)
    if (found !== undefined && found !== false) return { screen, found }
    if (Date.now() > end) throw new Error(`waited ${timeout} ms for ${what}; the screen shows:\n${screen}`)
    await sleep(every)
  }
}
