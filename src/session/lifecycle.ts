import { CortextError } from '../errors.ts'
import { oneLine } from '../text/line.ts'
import { type SessionFile, STATUSES, type Status } from './schema.ts'

const ALLOWED: Record<Status, readonly Status[]> = {
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: [],
}

/**
 * The session in another status (S1-005). The same status again is no change. completed → active needs `force`:
 * an explicit yes. Anything else is refused by name.
 */
export function changeStatus(session: SessionFile, to: Status, force = false): SessionFile {
  if (session.status === to || ALLOWED[session.status].includes(to)) return { ...session, status: to }
  if (session.status === 'completed' && to === 'active' && force) return { ...session, status: to }
  throw new CortextError(
    'refused',
    `"${oneLine(session.title)}" (${session.conversation_id}) is ${session.status} and cannot become ${to}`,
    { fix: `cortext resume ${session.conversation_id} --force` },
  )
}

export function parseStatus(text: string): Status {
  const status = STATUSES.find((one) => one === text)
  if (status === undefined)
    throw new CortextError('usage', `"${text}" is not a status`, { fix: `one of: ${STATUSES.join(', ')}` })
  return status
}

/** How a conversation's status reads now. `auto`: nobody stopped it, it has been quiet for too long. */
export interface EffectiveStatus {
  status: Status
  auto: boolean
}

/**
 * The status that every reader shows at once, without a daemon: a live conversation is active until
 * it has been quiet for `idleMinutes` (0 = never), then paused. Without a live binding on this machine what the
 * file says is believed, but for `active`, which is idle by the same clock.
 */
export function effectiveStatus(
  session: Pick<SessionFile, 'status'>,
  options: { live: boolean; lastTurn: Date; now: Date; idleMinutes: number },
): EffectiveStatus {
  const status: Status = options.live && session.status !== 'completed' ? 'active' : session.status
  if (status !== 'active' || options.idleMinutes === 0) return { status, auto: false }
  const quiet = options.now.getTime() - options.lastTurn.getTime()
  // Nobody knows how long it has been quiet where the last turn has no time that can be read: long enough.
  return quiet <= options.idleMinutes * 60_000
    ? { status: 'active', auto: false }
    : { status: 'paused', auto: true }
}

export function statusWords({ status, auto }: EffectiveStatus): string {
  return auto ? `${status} (auto)` : status
}
