import { CortextError } from '../errors.ts'
import { oneLine } from '../text/line.ts'
import { paste } from '../text/paste.ts'
import { type SessionFile, STATUSES, type Status } from './schema.ts'

const ALLOWED: Record<Status, readonly Status[]> = {
  active: ['paused', 'completed'],
  paused: ['active', 'completed'],
  completed: [],
}

/**
 * Changes the status of a session. Setting the same status again changes nothing. A completed session becomes
 * active only with `force`, an explicit yes of the person. Throws `refused` for a change that is not allowed; its fix
 * names the conversation by `path`, which no other conversation has.
 */
export function changeStatus(session: SessionFile, to: Status, path: string, force = false): SessionFile {
  if (session.status === to || ALLOWED[session.status].includes(to)) return { ...session, status: to }
  if (session.status === 'completed' && to === 'active' && force) return { ...session, status: to }
  throw new CortextError(
    'refused',
    `"${oneLine(session.title)}" (${session.conversation_id}) is ${session.status} and cannot become ${to}`,
    { fix: paste`cortext resume ${path} --force` },
  )
}

export function parseStatus(text: string): Status {
  const status = STATUSES.find((candidate) => candidate === text)
  if (status === undefined)
    throw new CortextError('usage', `"${text}" is not a status`, { fix: `one of: ${STATUSES.join(', ')}` })
  return status
}

/**
 * The present status of a conversation. `auto` means that the conversation was quiet for too long, and that no person
 * paused it.
 */
export interface EffectiveStatus {
  status: Status
  auto: boolean
}

/**
 * Computes the present status from the files, so that no daemon is needed. A conversation that is live on
 * this machine counts as active, unless it is completed. For any other conversation, the status in the file counts. An
 * active conversation becomes paused when it has been quiet for `idleMinutes` (0 = no limit).
 */
export function effectiveStatus(
  session: Pick<SessionFile, 'status'>,
  options: { live: boolean; lastTurn: Date; now: Date; idleMinutes: number },
): EffectiveStatus {
  const status: Status = options.live && session.status !== 'completed' ? 'active' : session.status
  if (status !== 'active' || options.idleMinutes === 0) return { status, auto: false }
  const quiet = options.now.getTime() - options.lastTurn.getTime()
  // A conversation whose last turn has no readable time counts as quiet for long enough.
  return quiet <= options.idleMinutes * 60_000
    ? { status: 'active', auto: false }
    : { status: 'paused', auto: true }
}

export function statusWords({ status, auto }: EffectiveStatus): string {
  return auto ? `${status} (auto)` : status
}
