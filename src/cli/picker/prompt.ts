import { createPrompt, useEffect, useKeypress, useMemo, useRef, useState } from '@inquirer/core'
import { oneLine } from '../../text/line.ts'
import type { FirstScreen } from './first-screen.ts'
import { matching, type Offer } from './offer.ts'
import { paintOf, type Shown, screenOf, sizeOf } from './screen.ts'

/** The offers of a picker, and its actions. */
export interface Picker<T extends Offer> {
  message: string
  /** The screen that is already shown, and the keys that were pressed since. */
  first?: FirstScreen
  offers: readonly T[]
  /**
   * Offers that come later, and the note to show until then. If the promise rejects, or a function below fails, the
   * picker shows the error.
   */
  later?: { note: string; offers: Promise<{ offers: readonly T[]; note: string }> }
  /**
   * Finds offers by what was said in them, and by names and titles, best first. `typed` has at least two characters.
   */
  find(typed: string): Promise<readonly T[]>
  /** The lines of the preview. */
  preview(one: T): Promise<readonly string[]>
  /** The names of the clients that may continue an offer, the default one first. Absent if no client is started. */
  clients?(one: T): readonly string[]
  /** Archives an offer and returns the note to show. Absent if nothing can be archived here. */
  archive?(one: T): Promise<string>
  /** Whether a person may begin something new here. */
  offersNew: boolean
  /** What is not offered, and why, for a person whose words match nothing. */
  hidden?: string
}

export type Picked<T> = { one: T; client: string | undefined } | 'new' | 'quit'

const TYPING_MS = 200
const PREVIEW_MS = 60

/** The prompt of the picker. It keeps standard input open until the person has answered. */
export const askPicker = createPrompt(
  <T extends Offer>(picker: Picker<T>, done: (picked: Picked<T>) => void) => {
    const [typed, setTyped] = useState('')
    const [later, setLater] = useState<readonly T[]>([])
    const [gone, setGone] = useState<readonly T[]>([])
    // A second one may be archived while the first is still being archived.
    const archivedSoFar = useRef<T[]>([])
    const [note, setNote] = useState(picker.later?.note ?? '')
    const [index, setIndex] = useState(0)
    // The number of steps from the default client to the chosen one.
    const [clientStep, setClientStep] = useState(0)
    const [byTalk, setByTalk] = useState<{ typed: string; found: readonly T[] }>({ typed: '', found: [] })
    const [preview, setPreview] = useState<{ of: T; lines: readonly string[] } | undefined>(undefined)
    const [size, setSize] = useState(sizeOf())
    const [isDone, setDone] = useState(false)

    const offers = useMemo(
      () => [...picker.offers, ...later].filter((one) => !gone.includes(one)),
      [later, gone],
    )
    const [isByTalk, sought] = typed.startsWith('/') ? [true, typed.slice(1)] : [false, typed]
    const found = useMemo(() => {
      const named = isByTalk ? [] : matching(offers, sought)
      const further = byTalk.typed === typed ? byTalk.found.filter((one) => offers.includes(one)) : []
      return [...named, ...further.filter((one) => !named.includes(one))]
    }, [offers, typed, byTalk])
    const active = Math.min(index, Math.max(0, found.length - 1))
    const one = found[active]
    const clients = one === undefined ? [] : (picker.clients?.(one) ?? [])
    const client = clients[clientStep % Math.max(1, clients.length)]

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
      // When the timer fires, this screen already receives keys. The text that readline received before is cleared,
      // because `keys` contains this text too.
      const timer = setTimeout(() => {
        rl.clearLine(0)
        rl.input.emit('data', keys)
      })
      return () => clearTimeout(timer)
    }, [])
    useEffect(() => {
      if (sought.trim().length < 2) return undefined
      return afterPause(TYPING_MS, async (isOver) => {
        try {
          const found = await picker.find(sought)
          if (!isOver()) setByTalk({ typed, found })
        } catch (error) {
          setNote(errorText(error))
        }
      })
    }, [typed])
    useEffect(() => {
      if (one === undefined || preview?.of === one) return undefined
      return afterPause(PREVIEW_MS, async (isOver) => {
        const lines = await picker.preview(one).catch((error) => [errorText(error)])
        if (!isOver()) setPreview({ of: one, lines })
      })
    }, [one])

    useKeypress((key, rl) => {
      if (isDone) return
      const finish = (picked: Picked<T>) => {
        setDone(true)
        done(picked)
      }
      const move = (to: number) => {
        setIndex(Math.max(0, Math.min(to, found.length - 1)))
        setClientStep(0)
        retype(typed)
      }
      // Readline may have moved the cursor at this key. Writing the typed text again puts the cursor at its end.
      const retype = (text: string) => {
        rl.clearLine(0)
        rl.write(text)
      }
      const page = Math.max(1, Math.floor(size.rows / 3))
      if (key.name === 'return' || key.name === 'enter') {
        if (one !== undefined) return finish({ one, client: clientStep === 0 ? undefined : client })
        retype(typed)
      } else if (key.name === 'up') move(active - 1)
      else if (key.name === 'down') move(active + 1)
      else if (key.name === 'pageup') move(active - page)
      else if (key.name === 'pagedown') move(active + page)
      else if (key.name === 'home') move(0)
      else if (key.name === 'end') move(found.length - 1)
      else if (key.name === 'right') {
        if (clients.length === 1) setNote('no other client here can go on with it')
        setClientStep((clientStep + 1) % Math.max(1, clients.length))
      } else if (key.name === 'left') {
        setClientStep((clientStep + Math.max(0, clients.length - 1)) % Math.max(1, clients.length))
        retype(typed)
      } else if (key.ctrl && key.name === 'n' && picker.offersNew) finish('new')
      else if (key.ctrl && key.name === 'x' && picker.archive !== undefined && one !== undefined) {
        const archived = (message: string) => {
          setNote(message)
          archivedSoFar.current.push(one)
          setGone([...archivedSoFar.current])
        }
        picker.archive(one).then(archived, (error) => setNote(errorText(error)))
      } else if (key.name === 'escape') {
        if (rl.line === '') return finish('quit')
        retype('')
        setTyped('')
        setIndex(0)
      } else if (rl.line !== typed) {
        // The question mark that opened the help is no word to look for.
        const line = typed === '?' ? rl.line.replace(/^\?/, '') : rl.line
        if (line !== rl.line) retype(line)
        setTyped(line)
        setIndex(0)
        setClientStep(0)
      }
    })

    const header = `${paint.bold(picker.message)} ${typed}`
    if (isDone) return header.trimEnd()
    const shown: Shown = {
      offers: found,
      active,
      note,
      all: offers.length,
      isHelp: typed === '?',
      hidden: picker.hidden,
      extras: [
        ...(picker.clients === undefined ? [] : (['client'] as const)),
        ...(picker.offersNew ? (['new'] as const) : []),
        ...(picker.archive === undefined ? [] : (['archive'] as const)),
      ],
      preview: preview !== undefined && preview.of === one ? preview.lines : undefined,
      inClient: clientStep === 0 ? undefined : client,
    }
    return [header, screenOf(shown, { ...size, paint }).join('\n')]
  },
)

/** Does work after a pause, and returns what ends it. */
function afterPause(ms: number, work: (isOver: () => boolean) => Promise<void>): () => void {
  let isOver = false
  const timer = setTimeout(() => work(() => isOver), ms)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const paint = paintOf(process.env)

/** The message of an error for the screen. The picker continues without the part that failed. */
function errorText(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error))
}
