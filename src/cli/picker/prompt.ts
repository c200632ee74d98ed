import { createPrompt, useEffect, useKeypress, useMemo, useState } from '@inquirer/core'
import { oneLine } from '../../text/line.ts'
import type { FirstScreen } from './first-screen.ts'
import { matching, type Offer } from './offer.ts'
import { paintOf, type Shown, screenOf, sizeOf } from './screen.ts'

/** What a picker offers, and what it can do with that. */
export interface Picker<T extends Offer> {
  message: string
  /** What is on the screen already, and the keys that were pressed since. */
  first?: FirstScreen
  offers: readonly T[]
  /** Offers that come later, and what is said while they are waited for. Of this and all below, what fails is told. */
  later?: { note: string; offers: Promise<{ offers: readonly T[]; note: string }> }
  /** What was said, best first; `typed` has at least two characters. */
  find(typed: string): Promise<readonly T[]>
  /** What is known of one, line by line. */
  preview(one: T): Promise<readonly string[]>
  /** The names of the clients that may go on with it, the one that it would be first. Absent: no client is started. */
  clients?(one: T): readonly string[]
  /** Hides it; returns what to tell. Absent: there is nothing to hide. */
  archive?(one: T): Promise<string>
  /** Whether a person may begin something new here. */
  offersNew: boolean
}

export type Picked<T> = { one: T; client: string | undefined } | 'new' | 'quit'

const TYPING_MS = 200
const PREVIEW_MS = 60

/** A prompt of one screen. It holds on to standard input until it is answered. */
export const askPicker = createPrompt(
  <T extends Offer>(picker: Picker<T>, done: (picked: Picked<T>) => void) => {
    const [typed, setTyped] = useState('')
    const [later, setLater] = useState<readonly T[]>([])
    const [gone, setGone] = useState<readonly T[]>([])
    const [note, setNote] = useState(picker.later?.note ?? '')
    const [at, setAt] = useState(0)
    const [turned, setTurned] = useState(0)
    const [said, setSaid] = useState<{ typed: string; found: readonly T[] }>({ typed: '', found: [] })
    const [preview, setPreview] = useState<{ of: T; lines: readonly string[] } | undefined>(undefined)
    const [size, setSize] = useState(sizeOf())
    const [isDone, setDone] = useState(false)

    const offers = useMemo(
      () => [...picker.offers, ...later].filter((one) => !gone.includes(one)),
      [later, gone],
    )
    const [isSaid, sought] = typed.startsWith('/') ? [true, typed.slice(1)] : [false, typed]
    const found = useMemo(() => {
      const named = isSaid ? [] : matching(offers, sought)
      const further = said.typed === typed ? said.found.filter((one) => offers.includes(one)) : []
      return [...named, ...further.filter((one) => !named.includes(one))]
    }, [offers, typed, said])
    const active = Math.min(at, Math.max(0, found.length - 1))
    const one = found[active]
    const clients = one === undefined ? [] : (picker.clients?.(one) ?? [])
    const client = clients[turned % Math.max(1, clients.length)]

    useEffect(() => {
      const changed = () => setSize(sizeOf())
      process.stdout.on('resize', changed)
      let isOver = false
      const none = (error: unknown) => ({ offers: [], note: errorText(error) })
      void picker.later?.offers.catch(none).then((more) => {
        if (isOver) return
        setLater(more.offers)
        setNote(more.note)
      })
      return () => {
        isOver = true
        process.stdout.off('resize', changed)
      }
    }, [])
    useEffect((rl) => {
      const keys = picker.first?.keys()
      if (keys === undefined || keys.length === 0) return undefined
      // Waits until this screen receives keys. readline has received some of them already.
      const timer = setTimeout(() => {
        rl.clearLine(0)
        rl.input.emit('data', keys)
      })
      return () => clearTimeout(timer)
    }, [])
    useEffect(() => {
      if (sought.trim().length < 2) return undefined
      let isOver = false
      const timer = setTimeout(() => {
        const found = (some: readonly T[]) => {
          if (!isOver) setSaid({ typed, found: some })
        }
        picker.find(sought).then(found, (error) => setNote(errorText(error)))
      }, TYPING_MS)
      return () => {
        isOver = true
        clearTimeout(timer)
      }
    }, [typed])
    useEffect(() => {
      if (one === undefined || preview?.of === one) return undefined
      let isOver = false
      const timer = setTimeout(() => {
        const known = (lines: readonly string[]) => {
          if (!isOver) setPreview({ of: one, lines })
        }
        picker.preview(one).then(known, (error) => known([errorText(error)]))
      }, PREVIEW_MS)
      return () => {
        isOver = true
        clearTimeout(timer)
      }
    }, [one])

    useKeypress((key, rl) => {
      if (isDone) return
      const finish = (picked: Picked<T>) => {
        setDone(true)
        done(picked)
      }
      const move = (to: number) => {
        setAt(Math.max(0, Math.min(to, found.length - 1)))
        setTurned(0)
        retype(typed)
      }
      // The cursor stays after the typed text, whatever readline does with a key.
      const retype = (text: string) => {
        rl.clearLine(0)
        rl.write(text)
      }
      const page = Math.max(1, Math.floor(size.rows / 3))
      if (key.name === 'return' || key.name === 'enter') {
        if (one !== undefined) return finish({ one, client: turned === 0 ? undefined : client })
        retype(typed)
      } else if (key.name === 'up') move(active - 1)
      else if (key.name === 'down') move(active + 1)
      else if (key.name === 'pageup') move(active - page)
      else if (key.name === 'pagedown') move(active + page)
      else if (key.name === 'home') move(0)
      else if (key.name === 'end') move(found.length - 1)
      else if (key.name === 'right') {
        if (clients.length === 1) setNote('no other client here can go on with it')
        setTurned((turned + 1) % Math.max(1, clients.length))
      } else if (key.name === 'left') {
        setTurned((turned + Math.max(0, clients.length - 1)) % Math.max(1, clients.length))
        retype(typed)
      } else if (key.ctrl && key.name === 'n' && picker.offersNew) finish('new')
      else if (key.ctrl && key.name === 'x' && picker.archive !== undefined && one !== undefined) {
        const archived = (told: string) => {
          setNote(told)
          setGone([...gone, one])
        }
        picker.archive(one).then(archived, (error) => setNote(errorText(error)))
      } else if (key.name === 'escape') {
        if (rl.line === '') return finish('quit')
        retype('')
        setTyped('')
        setAt(0)
      } else if (rl.line !== typed) {
        setTyped(rl.line)
        setAt(0)
        setTurned(0)
      }
    })

    const header = `${paint.bold(picker.message)} ${typed}`
    if (isDone) return header.trimEnd()
    const shown: Shown = {
      ...{ offers: found, active, note, all: offers.length, isHelp: typed === '?' },
      keys: [
        ...(picker.clients === undefined ? [] : (['client'] as const)),
        ...(picker.offersNew ? (['new'] as const) : []),
        ...(picker.archive === undefined ? [] : (['archive'] as const)),
      ],
      preview: preview !== undefined && preview.of === one ? preview.lines : undefined,
      inClient: turned === 0 ? undefined : client,
    }
    return [header, screenOf(shown, { ...size, paint }).join('\n')]
  },
)

const paint = paintOf(process.env)

/** The message of an error, for the status line: the picker goes on without what failed. */
function errorText(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error))
}
