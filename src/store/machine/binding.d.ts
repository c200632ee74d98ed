import { type ProcessName } from '../../io/process.ts';
import type { Generation } from './journal/journal.ts';
/** This file is part of the hook bundle: it imports only node's own modules. */
/** Says which parts of one native session belong to which conversations. */
export interface Binding {
    client: string;
    native_id: string;
    /** The absolute path of the client's transcript. */
    transcript: string;
    /** The root of the workspace in which the binding was made. */
    root: string;
    /** The launch for which the binding was made, when the client chose another id for the session. */
    launch?: string;
    /** The segments in the order they began; only the last one may be live. */
    segments: Segment[];
}
export interface Segment {
    /** The workspace-relative path of the conversation folder, with forward slashes. */
    conversation: string;
    /** The file name of the journal generation that the offsets belong to. */
    journal: string;
    /** The byte offset where the segment begins. */
    from: number;
    /** The byte offset where the segment ended; absent while it is live. */
    to?: number;
    how: 'start' | 'resume' | 'adopt' | 'import';
    /** The client rewrote its transcript meanwhile, so that the segment may repeat what was said before it. */
    restarted?: boolean;
    /** The person cleared the conversation in the client, and it goes on in this segment under another native id. */
    cleared?: boolean;
    /**
     * A resume made the segment, and no hook has told of a turn in it yet. What is in it may be the resume itself, so only
     * the turns behind those that resumed count.
     */
    pending?: boolean;
    /** The offset up to which the segment has been published; absent before the first time. */
    published_to?: number;
    /**
     * What ended it: the person, another conversation in the same session, the session itself, or the person from
     * elsewhere, while the session was open: then its running turn still belongs to it, and nothing more.
     */
    ended_by?: 'stop' | 'switch' | 'session-end' | 'elsewhere';
    /** Its journal was removed, since all of it is in the record. It is not read any more. */
    tidied?: boolean;
    /**
     * What the person was told of it: the number of the client's process in which they heard that it has ended (or goes on
     * after a `/clear`); `later` when they have just typed a command of ours, which may change that.
     */
    told?: number | 'later';
    /** The person has heard at a verb how it ended, if that was without a stop. */
    left_told?: true;
    /** The command without its slash: `workspace.brainstorm`. */
    command?: string;
    /** The client process that ran the last hook. If it is gone and the session did not end, it was killed. */
    process?: ProcessName;
    started_at: string;
    ended_at?: string;
}
/** The binding of a native session; undefined when there is none. A broken file is set aside and logged. */
export declare function readBinding(local: string, client: string, nativeId: string): Binding | undefined;
/**
 * Changes a binding under its lock, atomically. `change` receives the present binding. It returns the new one, the same
 * object to leave the file as it is, or undefined to remove it. Returns what `change` returned. Throws `locked`.
 */
export declare function updateBinding(local: string, client: string, nativeId: string, change: (binding: Binding | undefined) => Binding | undefined): Binding | undefined;
/** The segment that is being written, if there is one. */
export declare function liveSegment(binding: Binding): Segment | undefined;
/**
 * Carries the binding that a launch made over to the session that the client made of it. Does nothing when the launch
 * has no binding any more, because it was carried over before or ended.
 */
export declare function followLaunch(local: string, launch: string, native: {
    client: string;
    nativeId: string;
    transcript: string;
    journal: string;
}): void;
/**
 * Returns the binding with a further, live segment. Throws a RangeError when another one is live: end that one first.
 */
export declare function openSegment(binding: Binding, segment: Segment): Binding;
/**
 * Returns the binding with its live segment ended, or the same object when no segment is live. An end before the
 * segment's begin counts as its begin. A pending segment stays pending: a hook may have failed at its first turn.
 */
export declare function closeSegment(binding: Binding, end: {
    to: number;
    by: NonNullable<Segment['ended_by']>;
    at: Date;
}): Binding;
/** Whether words may still come to the last segment of a session, although it has ended. */
export declare function mayGrow(segment: Segment | undefined): boolean;
/** Whether the conversation goes on when its session does: nobody stopped it there. */
export declare function mayGoOn(segment: Segment | undefined): boolean;
/**
 * Whether the next prompt of a session is to be answered on the screen: that it is not recorded any more, or goes on
 * being recorded after a `/clear`. Once in each process of the client.
 */
export declare function isNews(segment: Segment | undefined, process: number): boolean;
/**
 * Extends the last segment to where its journal now ends, if it may grow: a client may write its last words after its
 * last hook, and the hook of a next turn may fail. Otherwise returns the same object.
 */
export declare function extendEnded(binding: Binding, { generation, size }: {
    generation: string;
    size: number;
}): Binding;
/**
 * Begins the pending segment at an offset: what lies before it in the session (the resume itself) is not part of the
 * conversation. Where a turn `was` said before it, of which no hook has told, that part stays, as an ended segment of
 * its own. Returns the same object when no segment is pending.
 */
export declare function beginPending(binding: Binding, offset: number, was?: boolean): Binding;
/**
 * Notes in the live segment which process writes it. Returns the same object when that is known already, or when no
 * segment is live.
 */
export declare function noteProcess(binding: Binding, writer: ProcessName): Binding;
/**
 * Carries the last segment, if it is live or may grow, on into the journal's newest generation after the client rewrote
 * its transcript. The old segment ends where its generation ends, and a new one begins at 0 in each later generation;
 * the newest is live if the old one was. Returns the same object when nothing was rewritten. Callers apply this
 * (`updateBinding`) before they use a binding.
 */
export declare function followRestarts(binding: Binding, generations: Generation[], at: Date): Binding;
/** Reads one binding by its path. A broken file is set aside and logged. */
export declare function readBindingFile(local: string, path: string): Binding | undefined;
/** Reads one binding for a caller that only looks: a broken file is reported and stays where it is. */
export declare function peekBindingFile(path: string): Binding | 'broken' | undefined;
