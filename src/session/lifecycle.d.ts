import { type SessionFile, type Status } from './schema.ts';
/**
 * Changes the status of a session (S1-005). Setting the same status again changes nothing. completed → active needs
 * `force`, which stands for an explicit yes. Throws `refused` for any other change.
 */
export declare function changeStatus(session: SessionFile, to: Status, force?: boolean): SessionFile;
export declare function parseStatus(text: string): Status;
/** The status of a conversation as it reads now. `auto` means that nobody paused it: it was quiet for too long. */
export interface EffectiveStatus {
    status: Status;
    auto: boolean;
}
/**
 * The status that every reader computes from the files, without a daemon. A live conversation is active
 * until it has been quiet for `idleMinutes` (0 = no limit), then paused. Without a live binding on this machine the
 * status in the file holds, except that `active` becomes paused by the same clock.
 */
export declare function effectiveStatus(session: Pick<SessionFile, 'status'>, options: {
    live: boolean;
    lastTurn: Date;
    now: Date;
    idleMinutes: number;
}): EffectiveStatus;
export declare function statusWords({ status, auto }: EffectiveStatus): string;
